/** Names one file or directory of a machine for as long as it exists, however it is called or moved. */
export interface Inode {
  readonly device: string;
  readonly inode: string;
}

/** Which inode an opened file has, from its identity as the disk gives it. */
export function inodeOf(identity: string): Inode {
  const [device = '', inode = ''] = identity.split(':');
  return { device, inode };
}

/** True if both name the same thing. */
export function isInode(one: Inode, other: Inode): boolean {
  return one.device === other.device && one.inode === other.inode;
}
