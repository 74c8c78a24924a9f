import { hostileCases } from './hostile-cases.ts';
import type { ProposalCase } from './proposal-case.ts';

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: tide-table
  namespace: harbour
spec:
  template:
    spec:
      containers:
        - name: web # faces the quay
          image: registry.example/tide:1.8.2
          ports: [{name: http, containerPort: 8080}]
`;
const service = `kind: Service
metadata: {name: tide-table, namespace: harbour}
spec:
  ports:
    - port: 80
      targetPort: 8080   # as in deploy.yaml
`;
const chart = 'apiVersion: v2\nname: tide\nversion: 0.4.0\nappVersion: "1.8.2" # the image\n';
const values = "image:\n  repository: registry.example/tide\n  tag: '1.8.2'\nreplicas: 2\n";
const cargo =
  '[package]\nname = "tide"\nversion = "0.9.0"\n\n[dependencies]\nserde = { version = "1.0.203", features = ["derive"] }\n';
const compose =
  'services:\n  db:\n    image: "postgres:16.3"\n    environment: {POSTGRES_PORT: "5432"}\n  cache:\n    image: redis:7.2.5\n';
const packageJson =
  '{\n  "name": "tide",\n  "engines": { "node": "20.18.0" },\n  "volta": {"node": "20.18.0", "npm": "10.8.2"}\n}\n';
const tsconfig =
  '{\n  // Node 20 understands it\n  "compilerOptions": {\n    "target": "ES2022", /* was ES2020 */\n    "lib": ["ES2022"],\n  },\n}\n';

const released = (version: string) => `# Releases\n\n## ${version}\n- fixes the ebb on leap days\n`;

/** The whole set. */
export const proposalCases: readonly ProposalCase[] = [
  {
    title: 'one pin',
    kind: 'pins',
    goal: 'Use the newest release of tide.',
    evidence: released('1.8.3'),
    files: { 'values.yaml': values },
    classification: 'mechanical',
    edits: [['values.yaml', '/image/tag', '1.8.2', '1.8.3']],
    changes: [['values.yaml', "'1.8.2'", "'1.8.3'"]],
    wrong: {
      edits: [['values.yaml', '/image/tga', '1.8.2', '1.8.3']],
      refusals: ['key "/image/tga" not found'],
    },
  },
  {
    title: 'two pins that move together',
    kind: 'pins',
    goal: 'Use the newest release of tide, in values and chart.',
    evidence: released('1.8.3'),
    files: { 'values.yaml': values, 'Chart.yaml': chart },
    classification: 'mechanical',
    edits: [
      ['values.yaml', '/image/tag', '1.8.2', '1.8.3'],
      ['Chart.yaml', '/appVersion', '1.8.2', '1.8.3'],
    ],
    changes: [
      ['values.yaml', "'1.8.2'", "'1.8.3'"],
      ['Chart.yaml', '"1.8.2"', '"1.8.3"'],
    ],
    wrong: {
      edits: [
        ['values.yaml', '/image/tag', '1.8.2', '1.8.3'],
        ['Chart.yaml', '/appVersion', '1.8.1', '1.8.3'],
      ],
      refusals: ['key "/appVersion" holds "1.8.2", not the expected "1.8.1"; refusing to overwrite'],
    },
  },
  {
    title: 'pins in YAML, TOML and JSON at once',
    kind: 'pins',
    goal: 'Build with Node 20.19.0 everywhere.',
    evidence: 'Node.js 20.19.0 (LTS) is available.',
    files: {
      'package.json': packageJson,
      'tools.toml': 'node = "20.18.0" # as volta\n',
      'ci/build.yaml': 'node: 20.18.0\n',
    },
    classification: 'mechanical',
    edits: [
      ['package.json', '/engines/node', '20.18.0', '20.19.0'],
      ['package.json', '/volta/node', '20.18.0', '20.19.0'],
      ['tools.toml', '/node', '20.18.0', '20.19.0'],
      ['ci/build.yaml', '/node', '20.18.0', '20.19.0'],
    ],
    changes: [
      ['package.json', '"engines": { "node": "20.18.0" }', '"engines": { "node": "20.19.0" }'],
      ['package.json', '"volta": {"node": "20.18.0"', '"volta": {"node": "20.19.0"'],
      ['tools.toml', '20.18.0', '20.19.0'],
      ['ci/build.yaml', '20.18.0', '20.19.0'],
    ],
    wrong: {
      edits: [['package.json', '/volta/node', '20.18.0', '20.19']],
      refusals: ['version "20.19" does not appear in the evidence; refusing an invented version'],
    },
  },
  {
    title: 'an inline table',
    kind: 'pins',
    goal: 'Take the fixed serde.',
    evidence: 'serde 1.0.204 fixes the advisory.',
    files: { 'Cargo.toml': cargo },
    classification: 'mechanical',
    edits: [['Cargo.toml', '/dependencies/serde/version', '1.0.203', '1.0.204']],
    changes: [['Cargo.toml', '1.0.203', '1.0.204']],
    wrong: {
      edits: [['Cargo.toml', '/dependencies/serde', '1.0.203', '1.0.204']],
      refusals: ['key "/dependencies/serde" is not a scalar'],
    },
  },
  {
    title: 'a pin within a longer value',
    kind: 'pins',
    goal: 'Use the newest release of tide.',
    evidence: `registry.example/tide:1.8.3 was pushed.\n${released('1.8.3')}`,
    files: { 'deploy.yaml': deployment },
    classification: 'mechanical',
    edits: [
      [
        'deploy.yaml',
        '/spec/template/spec/containers/0/image',
        'registry.example/tide:1.8.2',
        'registry.example/tide:1.8.3',
      ],
    ],
    changes: [['deploy.yaml', 'tide:1.8.2', 'tide:1.8.3']],
    wrong: {
      edits: [['deploy.yaml', '/spec/template/spec/containers/1/image', 'registry.example/tide:1.8.2', 'tide:1.8.3']],
      refusals: ['key "/spec/template/spec/containers/1/image" index 1 out of range'],
    },
  },
  {
    title: 'two services of one file',
    kind: 'pins',
    goal: 'Take both patch releases.',
    evidence: 'postgres:16.4 and redis:7.2.6 are out.',
    files: { 'compose.yaml': compose },
    classification: 'mechanical',
    edits: [
      ['compose.yaml', 'services.db.image', 'postgres:16.3', 'postgres:16.4'],
      ['compose.yaml', 'services.cache.image', 'redis:7.2.5', 'redis:7.2.6'],
    ],
    changes: [
      ['compose.yaml', 'postgres:16.3', 'postgres:16.4'],
      ['compose.yaml', 'redis:7.2.5', 'redis:7.2.6'],
    ],
  },
  {
    title: 'a pin that is there already beside one that is not',
    kind: 'pins',
    goal: 'Use the newest release of tide, in values and chart.',
    evidence: released('1.8.3'),
    files: { 'values.yaml': values.replace('1.8.2', '1.8.3'), 'Chart.yaml': chart },
    classification: 'mechanical',
    edits: [
      ['values.yaml', '/image/tag', '1.8.2', '1.8.3'],
      ['Chart.yaml', '/appVersion', '1.8.2', '1.8.3'],
    ],
    changes: [['Chart.yaml', '"1.8.2"', '"1.8.3"']],
  },
  {
    title: 'a port in two files',
    kind: 'ports',
    goal: 'The web container moves to port 9090.',
    evidence: 'web listens on 9090 from now on',
    files: { 'deploy.yaml': deployment, 'service.yaml': service },
    classification: 'mechanical',
    edits: [
      ['deploy.yaml', '/spec/template/spec/containers/0/ports/0/containerPort', '8080', '9090'],
      ['service.yaml', '/spec/ports/0/targetPort', '8080', '9090'],
    ],
    changes: [
      ['deploy.yaml', 'containerPort: 8080', 'containerPort: 9090'],
      ['service.yaml', 'targetPort: 8080', 'targetPort: 9090'],
    ],
    wrong: {
      edits: [
        ['deploy.yaml', '/spec/template/spec/containers/0/ports/0/containerPort', '8080', '9090'],
        ['service.yaml', '/spec/ports/0/port', '8080', '9090'],
      ],
      refusals: ['key "/spec/ports/0/port" holds "80", not the expected "8080"; refusing to overwrite'],
    },
  },
  {
    title: 'a port that is a text',
    kind: 'ports',
    goal: 'Postgres moves to port 5433.',
    evidence: 'the new cluster listens on 5433',
    files: { 'compose.yaml': compose },
    classification: 'mechanical',
    edits: [['compose.yaml', '/services/db/environment/POSTGRES_PORT', '5432', '5433']],
    changes: [['compose.yaml', '"5432"', '"5433"']],
  },
  {
    title: 'a port that is spelled in hexadecimal',
    kind: 'ports',
    goal: 'The probe moves to port 8081.',
    evidence: 'probe: 8081',
    files: { 'probe.yaml': 'mask: 0xFF00\nport: 0x1F90 # 8080\n' },
    classification: 'mechanical',
    edits: [['probe.yaml', '/port', '0x1F90', '8081']],
    changes: [['probe.yaml', '0x1F90', '8081']],
    wrong: {
      edits: [['probe.yaml', '/port', '8080', '8081']],
      refusals: ['key "/port" holds "0x1F90", not the expected "8080"; refusing to overwrite'],
    },
  },
  {
    title: 'the right one of two documents',
    kind: 'ports',
    goal: 'The admin service moves to port 9443.',
    evidence: 'admin: 9443',
    files: { 'all.yaml': 'name: web\nport: 8443\n---\nname: admin\nport: 8443 # TLS\n' },
    classification: 'mechanical',
    edits: [['all.yaml', '#1/port', '8443', '9443']],
    changes: [['all.yaml', 'port: 8443 # TLS', 'port: 9443 # TLS']],
    wrong: {
      edits: [['all.yaml', '/port', '8443', '9443']],
      refusals: ['file holds 2 documents; name one as #<index>'],
    },
  },
  {
    title: 'a key with dots in its name',
    kind: 'keys',
    goal: 'Ask for two replicas of the scaler.',
    evidence: 'two are enough',
    files: { 'scale.yaml': 'a.b: 3\na:\n  b: 3\n' },
    classification: 'mechanical',
    edits: [['scale.yaml', '/a.b', '3', '2']],
    changes: [['scale.yaml', 'a.b: 3', 'a.b: 2']],
    wrong: {
      edits: [['scale.yaml', 'a.b', '3', '2']],
      refusals: ['key "a.b" is ambiguous; use a JSON Pointer'],
    },
  },
  {
    title: 'a key with a slash in its name',
    kind: 'keys',
    goal: 'Hand the volume to team quay.',
    evidence: 'owner: quay',
    files: { 'volume.json': '{"labels": {"example.com/team": "harbour"}}\n' },
    classification: 'mechanical',
    edits: [['volume.json', '/labels/example.com~1team', 'harbour', 'quay']],
    changes: [['volume.json', '"harbour"', '"quay"']],
    wrong: {
      edits: [['volume.json', '/labels/example.com/team', 'harbour', 'quay']],
      refusals: ['key "/labels/example.com/team" not found'],
    },
  },
  {
    title: 'a key that would have to be renamed',
    kind: 'keys',
    goal: 'Rename replicas to replicaCount, as the new chart wants it.',
    evidence: 'The chart reads replicaCount; replicas is gone.',
    files: { 'values.yaml': values },
    classification: 'escalate',
    edits: [],
    changes: [],
    wrong: {
      edits: [['values.yaml', '/replicaCount', '', '2']],
      refusals: ['key "/replicaCount" not found'],
    },
  },
  {
    title: 'a key that stands there twice',
    kind: 'keys',
    goal: 'Raise the limit to 20.',
    evidence: 'limit 20',
    files: { 'limits.json': '{"limit": 10, "limit": 15}\n', 'other.yaml': 'limit: 1\n' },
    classification: 'escalate',
    edits: [],
    changes: [],
    wrong: {
      edits: [['limits.json', '/limit', '10', '20']],
      refusals: ['key "/limit" is duplicated'],
    },
  },
  {
    title: 'a trailing zero is part of a version',
    kind: 'spelling',
    goal: 'Move to 1.30.',
    evidence: 'version 1.30',
    files: { 'v.yaml': 'go: 1.20 # not 1.2\n' },
    classification: 'mechanical',
    edits: [['v.yaml', '/go', '1.20', '1.30']],
    changes: [['v.yaml', '1.20', '1.30']],
    wrong: {
      edits: [['v.yaml', '/go', '1.2', '1.30']],
      refusals: ['key "/go" holds "1.20", not the expected "1.2"; refusing to overwrite'],
    },
  },
  {
    title: 'a number beyond what a double holds',
    kind: 'spelling',
    goal: 'Count the epoch up by one.',
    evidence: 'epoch 9007199254740994',
    files: { 'epoch.json': '{"epoch": 9007199254740993}\n' },
    classification: 'mechanical',
    edits: [['epoch.json', '/epoch', '9007199254740993', '9007199254740994']],
    changes: [['epoch.json', '9007199254740993', '9007199254740994']],
    wrong: {
      edits: [['epoch.json', '/epoch', '9007199254740992', '9007199254740994']],
      refusals: ['key "/epoch" holds "9007199254740993", not the expected "9007199254740992"; refusing to overwrite'],
    },
  },
  {
    title: 'comments and trailing commas of JSONC stay',
    kind: 'spelling',
    goal: 'Compile for ES2023.',
    evidence: 'Node 20 understands ES2023.',
    files: { 'tsconfig.jsonc': tsconfig },
    classification: 'mechanical',
    edits: [
      ['tsconfig.jsonc', '/compilerOptions/target', 'ES2022', 'ES2023'],
      ['tsconfig.jsonc', '/compilerOptions/lib/0', 'ES2022', 'ES2023'],
    ],
    changes: [
      ['tsconfig.jsonc', '"target": "ES2022"', '"target": "ES2023"'],
      ['tsconfig.jsonc', '["ES2022"]', '["ES2023"]'],
    ],
  },
  {
    title: 'Windows line ends and a byte order mark stay',
    kind: 'spelling',
    goal: 'Switch the mode to slow.',
    evidence: 'slow',
    files: { 'mode.yaml': '\ufeff# mode\r\nmode: fast\r\n' },
    classification: 'mechanical',
    edits: [['mode.yaml', '/mode', 'fast', 'slow']],
    changes: [['mode.yaml', 'fast', 'slow']],
  },
  {
    title: 'equal values in a flow mapping',
    kind: 'flow',
    goal: 'Route b moves to pier 2.',
    evidence: 'b: pier2',
    files: { 'routes.yaml': 'routes: {a: pier1, b: pier1, c: pier1} # all at one\n' },
    classification: 'mechanical',
    edits: [['routes.yaml', '/routes/b', 'pier1', 'pier2']],
    changes: [['routes.yaml', 'b: pier1', 'b: pier2']],
  },
  {
    title: 'equal values in a flow sequence over two lines',
    kind: 'flow',
    goal: 'The last pier becomes 9.',
    evidence: 'piers 1, 1, 9',
    files: { 'piers.yaml': 'piers: [1,\n  1, 1]\n' },
    classification: 'mechanical',
    edits: [['piers.yaml', '/piers/2', '1', '9']],
    changes: [['piers.yaml', ' 1, 1]', ' 1, 9]']],
    wrong: {
      edits: [['piers.yaml', '/piers/3', '1', '9']],
      refusals: ['key "/piers/3" index 3 out of range'],
    },
  },
  {
    title: 'a value that an alias repeats',
    kind: 'flow',
    goal: 'Only the night ferry slows down to 8.',
    evidence: 'night 8',
    files: { 'speed.yaml': 'day: &speed 12\nnight: *speed\n', 'wind.yaml': 'wind: 3\n' },
    classification: 'escalate',
    edits: [],
    changes: [],
    wrong: { edits: [['speed.yaml', '/night', '12', '8']], refusals: ['key "/night" is an alias'] },
  },
  ...hostileCases,
];
