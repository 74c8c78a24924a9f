// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the rows quote code of languages that have such strings

/** What a case is about: the ways in which edits of one line or text go wrong. */
export type CaseKind =
  | 'line by its text'
  | 'neighbouring lines'
  | 'line emptied'
  | 'fragment cut'
  | 'empty line filled'
  | 'near duplicate'
  | 'non-ASCII'
  | 'CRLF by number'
  | 'CRLF by find'
  | 'stale number'
  | 'whitespace only';

/** One wanted change of one file. */
export interface EditCase {
  readonly file: string;
  readonly kind: CaseKind;
  /** The line as it stands, or for the kinds that work by find a piece of text that occurs once. */
  readonly old: string;
  /** What is to stand there. */
  readonly new: string;
  /** Which one is meant where several lines read the same, from 1. */
  readonly nth: number;
}

type Row = readonly [file: string, kind: CaseKind, old: string, now: string, nth?: number];

const replaceRows: readonly Row[] = [
  ['orders.py', 'line by its text', '    paid: bool = False', '    paid: bool = True'],
  [
    'orders.py',
    'near duplicate',
    '            return f"order {self.number}: paid"',
    '            return f"order {self.number}: settled"',
  ],
  [
    'debounce.js',
    'near duplicate',
    'export const fast = debounce(console.log, 50);',
    'export const fast = debounce(console.log, 25);',
  ],
  ['debounce.js', 'empty line filled', '', '  let calls = 0;'],
  [
    'cart.ts',
    'neighbouring lines',
    '  let total = 0;\n  for (const { count, price } of lines) {',
    '  let cents = 0;\n  for (const { price, count } of lines) {',
  ],
  [
    'cart.ts',
    'line by its text',
    'export const template = (name: string) => `Dear ${name},\\n`;',
    'export const template = (name: string) => `Hello ${name}!\\n`;',
  ],
  [
    'Badge.tsx',
    'line by its text',
    '    <span className={`badge badge-${kind}`}>',
    '    <span className={`badge ${kind}`} role="status">',
  ],
  ['Badge.tsx', 'fragment cut', ' className="dot"', ''],
  ['package.json', 'near duplicate', '    "right": "^2.0.0"', '    "right": "^2.1.0"'],
  ['package.json', 'stale number', '    "test": "node --test"', '    "test": "node --test test/"'],
  ['deploy.yaml', 'near duplicate', '    port: 8081', '    port: 9090'],
  ['deploy.yaml', 'empty line filled', '', 'region: eu-west'],
  [
    'Cargo.toml',
    'line by its text',
    'serde = { version = "1.0", features = ["derive"] }',
    'serde = { version = "1.0", features = ["derive", "rc"] }',
  ],
  ['Cargo.toml', 'fragment cut', ', features = ["derive"]', ''],
  ['php.ini', 'near duplicate', 'cookie.secure = 0', 'cookie.secure = 1'],
  ['php.ini', 'CRLF by number', 'post_max_size = 8M', 'post_max_size = 16M'],
  ['guide.md', 'non-ASCII', '> Café and kiosk are closed on Mondays.', '> Café und Kiosk: montags „zu“.'],
  ['guide.md', 'near duplicate', '2. No smoking below deck.', '2. No cooking below deck.'],
  ['index.html', 'near duplicate', '      <a href="/times">Times</a>', '      <a href="/timetable">Timetable</a>'],
  ['index.html', 'fragment cut', ' &amp; running', ''],
  ['style.css', 'line by its text', '  margin: 0 auto;', '  margin: 0 auto 1rem;'],
  ['style.css', 'line by its text', '  content: "\\2192";', '  content: "\\2190";'],
  ['theme.scss', 'line by its text', '    &:hover { opacity: .8; }', '    &:hover { opacity: .6; }'],
  ['theme.scss', 'stale number', '  gap: $gap;', '  gap: $gap / 2;'],
  ['ring.c', 'line by its text', '\t\treturn -1;', '\t\treturn 1;'],
  ['ring.c', 'near duplicate', 'static size_t tail = 0;', 'static size_t tail = CAPACITY - 1;'],
  [
    'matrix.cpp',
    'near duplicate',
    '        return cells_[row * rows_ + column];',
    '        return cells_.at(row * rows_ + column);',
    2,
  ],
  ['matrix.cpp', 'line by its text', '    std::vector<T> cells_;', '    std::vector<T> cells_{};'],
  [
    'Clock.cs',
    'CRLF by number',
    '        private readonly TimeSpan offset;',
    '        private readonly TimeSpan shift;',
  ],
  ['Clock.cs', 'CRLF by find', 'DateTime.Now + offset', 'DateTime.UtcNow + offset'],
  ['Parser.java', 'line by its text', '            words.add(word);', '            words.add(word.trim());'],
  [
    'Parser.java',
    'stale number',
    '        for (String word : text.split(" ")) {',
    '        for (String word : text.split("\\\\s+")) {',
  ],
  ['Route.kt', 'fragment cut', ': Int = stops', ' = stops'],
  ['Route.kt', 'empty line filled', '', '// A stop is reached after so many minutes.', 2],
  ['Tide.swift', 'non-ASCII', '        let arrow = rising ? "↑" : "↓"', '        let arrow = rising ? "▲" : "▼"'],
  [
    'Tide.swift',
    'line by its text',
    '        return "\\(height) m \\(arrow)"',
    '        return "\\(arrow) \\(height) m"',
  ],
  ['server.go', 'line by its text', '\t\tfmt.Fprintln(w, "ferry")', '\t\tfmt.Fprintln(w, "ferry", r.URL.Path)'],
  ['server.go', 'neighbouring lines', '\t"fmt"\n\t"net/http"', '\t"fmt"\n\t"log"'],
  ['depth.rs', 'fragment cut', '**depth < limit', '**depth <= limit'],
  ['depth.rs', 'line by its text', '        names.sort();', '        names.sort_unstable();'],
  [
    'fare.rb',
    'line by its text',
    '  RATES = { adult: 300, child: 150 }.freeze',
    '  RATES = { adult: 320, child: 160 }.freeze',
  ],
  ['fare.rb', 'stale number', '    RATES.fetch(@kind)', '    RATES.fetch(@kind, 0)'],
  ['mail.php', 'near duplicate', '    return "Good day, $name";', '    return "Good evening, $name";'],
  ['mail.php', 'line emptied', 'echo greet($argv[1] ?? \'guest\'), "\\n";', ''],
  [
    'count.pl',
    'line by its text',
    '    $seen{$_}++ for split /\\s+/, $line;',
    '    $seen{lc $_}++ for split /\\s+/, $line;',
  ],
  ['count.pl', 'fragment cut', '%5d ', '%d\\t'],
  [
    'game.lua',
    'near duplicate',
    '  self.y = math.min(self.y, height)',
    '  self.y = math.max(0, math.min(self.y, height))',
  ],
  ['game.lua', 'line emptied', '-- keep the boat on the screen', ''],
  ['backup.sh', 'line by its text', 'source_dir="${1:?usage: backup.sh DIR}"', 'source_dir="${1:-$HOME}"'],
  ['backup.sh', 'line by its text', '    cp -p "$file" "$target/"', '    cp -p -- "$file" "$target/"'],
  [
    'Report.ps1',
    'CRLF by number',
    '    Where-Object { $_.LastWriteTime -lt $limit } |',
    '    Where-Object { $_.LastWriteTime -le $limit } |',
  ],
  ['Report.ps1', 'CRLF by find', ' -Filter *.log', ''],
  ['start.bat', 'CRLF by number', 'set HOST=localhost', 'set HOST=0.0.0.0'],
  ['start.bat', 'CRLF by find', 'set PORT=8080\nset HOST=localhost', 'set PORT=80\nset HOST=localhost\nset USER=ferry'],
  [
    'schema.sql',
    'non-ASCII',
    "INSERT INTO ferries (id, name) VALUES (2, 'Krähe');",
    "INSERT INTO ferries (id, name) VALUES (2, 'Kraniche');",
  ],
  ['schema.sql', 'near duplicate', '    arrives  TEXT NOT NULL', '    arrives  TEXT'],
  ['Makefile', 'line by its text', '\trm -f ferry *.o', '\trm -f ferry *.o *.d'],
  ['Makefile', 'empty line filled', '', 'LDLIBS := -lm'],
  ['Dockerfile', 'near duplicate', 'WORKDIR /app', 'WORKDIR /srv', 2],
  ['Dockerfile', 'stale number', 'RUN npm ci', 'RUN npm ci --omit=dev'],
  ['pom.xml', 'near duplicate', '      <version>1.3</version>', '      <version>2.2</version>'],
  ['pom.xml', 'near duplicate', '    <dependency>', '    <dependency optional="true">', 2],
  ['api.graphql', 'line by its text', '  seats: Int', '  seats: Int!'],
  ['api.graphql', 'fragment cut', '(first: Int = 10)', ''],
  ['ferry.proto', 'near duplicate', '  int64 arrives = 4;', '  optional int64 arrives = 4;'],
  [
    'ferry.proto',
    'neighbouring lines',
    '  string id = 1;\n  string ferry = 2;',
    '  uint32 id = 1;\n  uint32 ferry = 2;',
  ],
  ['stops.csv', 'non-ASCII', '3,Île verte,54.30,10.15', '3,Île bleue,54.30,10.15'],
  ['stops.csv', 'near duplicate', '2,South pier,54.31,10.13', '2,South pier,54.31,10.14'],
  ['main.tf', 'line by its text', '  type    = string', '  type    = any'],
  ['main.tf', 'line emptied', '    stage = "test"', ''],
  [
    'Tide.hs',
    'line by its text',
    "average xs = foldl' (+) 0 xs / fromIntegral (length xs)",
    'average xs = sum xs / fromIntegral (length xs)',
  ],
  ['Tide.hs', 'near duplicate', 'highest :: [Double] -> Double', 'highest :: Ord a => [a] -> a'],
  ['queue.ex', 'near duplicate', '  def take({[], back}) do', '  def take({[], back}) when back != [] do'],
  [
    'queue.ex',
    'neighbouring lines',
    '    take({Enum.reverse(back), []})\n  end',
    '    back |> Enum.reverse() |> then(&take({&1, []}))\n  end',
  ],
  ['paper.tex', 'non-ASCII', '\\section{Überfahrt}', '\\section{Rückfahrt}'],
  [
    'paper.tex',
    'line by its text',
    'The crossing takes $t = \\frac{d}{v}$ minutes.',
    'The crossing takes $t = d/v$ minutes.',
  ],
  ['ferry.env', 'line by its text', 'PORT=8080', 'PORT=8081'],
  ['ferry.env', 'stale number', 'SECRET=changeme', 'SECRET='],
  [
    'nginx.conf',
    'line by its text',
    '        proxy_set_header Host $host;',
    '        proxy_set_header Host $http_host;',
  ],
  ['nginx.conf', 'empty line filled', '', '    client_max_body_size 8m;'],
  ['film.srt', 'non-ASCII', '– Aye, aye. ⚓', '– Jawohl. ⚓️'],
  ['film.srt', 'near duplicate', '00:00:05,500 --> 00:00:07,000', '00:00:05,500 --> 00:00:07,500'],
  [
    'model.r',
    'line by its text',
    'fit <- lm(height ~ hour + moon, data = tides)',
    'fit <- lm(height ~ hour * moon, data = tides)',
  ],
  ['model.r', 'fragment cut', ', col = "red"', ''],
  ['timetable.txt', 'near duplicate', '13:30  north pier  -> south pier  A', '13:35  north pier  -> south pier  A', 2],
  ['timetable.txt', 'line emptied', 'No service in ice.', ''],
];

const whitespaceRows: readonly Row[] = [
  ['orders.py', 'whitespace only', '        return total', '            return total'],
  ['orders.py', 'whitespace only', '            total += prices[item]', '        total += prices[item]'],
  ['ring.c', 'whitespace only', '\tring[head] = c;', '    ring[head] = c;'],
  ['ring.c', 'whitespace only', '\thead = next;', 'head = next;'],
  ['server.go', 'whitespace only', '\t\tpanic(err)', '\t\t\tpanic(err)'],
  ['Makefile', 'whitespace only', '\t$(CC) $(CFLAGS) -o $@ $^', '    $(CC) $(CFLAGS) -o $@ $^'],
  ['deploy.yaml', 'whitespace only', '  cpu: 500m', '    cpu: 500m'],
  ['deploy.yaml', 'whitespace only', '    port: 8080', '  port: 8080'],
  ['package.json', 'whitespace only', '  "private": true,', '\t"private": true,'],
  ['guide.md', 'whitespace only', '- return: 5 €', '  - return: 5 €'],
  ['guide.md', 'whitespace only', '1. No smoking on deck.', '1. No smoking on deck.  '],
  ['poem.md', 'whitespace only', 'The harbour sleeps,  ', 'The harbour sleeps,'],
  ['poem.md', 'whitespace only', 'her lantern low   ', 'her lantern low  '],
  ['poem.md', 'whitespace only', '\t- wire', '  - wire'],
  ['poem.md', 'whitespace only', ' ', ''],
  ['poem.md', 'whitespace only', '  code', '\tcode'],
  ['legacy.py', 'whitespace only', '\tfor hour in hours:', '    for hour in hours:'],
  ['legacy.py', 'whitespace only', '\t    if hour > 12:', '\t\tif hour > 12:'],
  ['legacy.py', 'whitespace only', '        print("done")', '\tprint("done")'],
  ['legacy.py', 'whitespace only', 'def wind(): ', 'def wind():'],
  ['legacy.py', 'whitespace only', '  return  1', '  return 1'],
  ['legacy.py', 'whitespace only', '\t', ''],
  ['legacy.py', 'whitespace only', 'x=1', 'x = 1'],
  ['schema.sql', 'whitespace only', '    id      INTEGER PRIMARY KEY,', '    id INTEGER PRIMARY KEY,'],
];

/** Changes of one line or text, in 43 languages and formats. */
export const replaceCases: readonly EditCase[] = replaceRows.map(toCase);

/** Changes in which nothing but blanks differs. */
export const whitespaceCases: readonly EditCase[] = whitespaceRows.map(toCase);

function toCase([file, kind, old, now, nth = 1]: Row): EditCase {
  return { file, kind, old, new: now, nth };
}
