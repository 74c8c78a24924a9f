// The import rules of this project. Everything below is derived from the next line: a folder of src/ imports only from
// what stands to its left; those inside braces do not know each other.
const order =
  'contract < text < fs < { cores, policy, audit, sandbox } < calls < { tools, staging, proposals } < runtime < workflow < { cli, index.ts }';

// Built-in modules a folder may load besides none. The disk is reached through fs/ alone, whoever asks.
const builtins = {
  text: ['buffer'],
  fs: ['.*'],
  // `events` on the host's side only, for listeners of abort signals; what the worker loads is checked below.
  sandbox: ['buffer', 'events', 'worker_threads'],
  runtime: ['(?!fs\\b).*'],
  cli: ['(?!fs\\b).*'],
};

// No part of Porthole starts programs, evaluates source in the host, or opens sockets by itself.
const neverLoaded = ['child_process', 'cluster', 'dgram', 'inspector', 'net', 'repl', 'tls', 'vm', 'wasi'];

const tests = '\\.test\\.ts$|\\.cases\\.ts$|^src/.*/(cases|proof|testing)/';

const layers = order.split('<').map((layer) => layer.replace(/[{}\s]/g, '').split(','));

const layerRules = layers.flatMap((folders, index) =>
  folders.map((folder) => {
    const left = layers.slice(0, index).flat();
    return {
      name: `layer-${folder}`,
      comment: `src/${folder} imports only from: ${left.join(', ') || 'nothing'}. The order is ${order}.`,
      severity: 'error',
      from: { path: inFolder(folder) },
      to: { path: '^src/', pathNot: [inFolder(folder), ...left.map(inFolder)] },
    };
  }),
);

const builtinRules = layers.flat().map((folder) => ({
  name: `builtin-${folder}`,
  comment: `src/${folder} loads no Node built-in modules beyond: ${(builtins[folder] ?? []).join(', ') || 'none'}.`,
  severity: 'error',
  from: { path: inFolder(folder), pathNot: tests },
  to: {
    dependencyTypes: ['core'],
    ...(builtins[folder] ? { pathNot: `^(node:)?(${builtins[folder].join('|')})$` } : {}),
  },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...layerRules,
    ...builtinRules,
    {
      name: 'known-folders',
      comment: `Every file of src/ lies in a folder of the order: ${order}.`,
      severity: 'error',
      from: {},
      to: { path: '^src/', pathNot: [...layers.flat().map(inFolder)] },
    },
    {
      name: 'no-cycles',
      comment: 'A circle of imports has no order to read it in.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'worker-reaches-no-host',
      comment: 'The thread that runs guest code holds no authority: nothing in its graph loads more than these two.',
      severity: 'error',
      from: { path: '^src/sandbox/worker\\.ts$' },
      to: { reachable: true, path: '^(node:)?(events|fs|os|path|process|http|https|module|url|util|crypto|v8)(/|$)' },
    },
    {
      name: 'never-loaded',
      comment: `No part of src/ loads ${neverLoaded.join(', ')}.`,
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: { path: `^(node:)?(${neverLoaded.join('|')})$`, dependencyTypes: ['core'] },
    },
    {
      name: 'no-test-imports',
      comment: 'What users run imports no test file and nothing that is installed for development only.',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: { path: `^(features|robot|scripts|bench|evals)/|${tests}` },
    },
    {
      name: 'robot-stays-outside',
      comment: 'The robot suites use the built package and command as a user would.',
      severity: 'error',
      from: { path: '^robot/' },
      to: { path: '^(src|features|scripts)/' },
    },
    {
      name: 'resolvable',
      comment: 'An import that cannot be resolved breaks the build.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|node_modules/\\.cache)/' },
    enhancedResolveOptions: { conditionNames: ['types', 'import', 'default'], exportsFields: ['exports'] },
  },
};

function inFolder(folder) {
  return folder.endsWith('.ts') ? `^src/${folder.replace('.', '\\.')}$` : `^src/${folder}/`;
}
