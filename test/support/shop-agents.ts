/** A role for a project of npm; its atoms are those of the library. */
export const MENDER = `[role]
name = "mender"
display-name = "mender"
description = "Edits its own files and runs the tests."

[capabilities]
required = [
  "policy::no-git-ops",
  "scope::files-whitelist",
  "quality::tests-green",
  "safety::no-dep-bump",
  "output::report-format",
]

[tools]
allowed = ["Read", "Write", "Edit", "Bash"]
`;

export const PROJECT = {
  'package.json': '{"name":"shop","scripts":{"test":"node --test"}}\n',
  'README.md': '# Shop\n',
  'src/price.js': 'exports.price = (cents) => `${(cents / 100).toFixed(2)} €`;\n',
  'test/price.test.js':
    "const { test } = require('node:test');\nconst assert = require('node:assert');\n" +
    "const { price } = require('../src/price.js');\ntest('cents', () => assert.equal(price(250), '2.50 €'));\n",
};

const testOf = (name: string, code: string) =>
  `const { test } = require('node:test');\nconst assert = require('node:assert');\n${code}\ntest('${name}', () => assert.ok(run()));\n`;

type Call = readonly [tool: string, input: Record<string, string>];
const write = (path: string, content: string): Call => ['Write', { file_path: path, content }];
const bash = (command: string): Call => ['Bash', { command }];
const inNode = (...lines: string[]) => `const fs = require('node:fs');\n${lines.join('\n')}\n`;

/** Attempts of each agent, one tool call after the other. */
export const SCRIPTS: Readonly<Record<string, readonly Call[]>> = {
  obeys: [
    write(
      'src/total.js',
      "const { price } = require('./price.js');\nexports.total = (all) => price(all.reduce((a, b) => a + b, 0));\n",
    ),
    write(
      'test/total.test.js',
      testOf('total', "const run = () => require('../src/total.js').total([1, 2]) === '0.03 €';"),
    ),
    bash('npm test'),
  ],
  strays: [
    write('README.md', 'mine now\n'),
    bash('echo mine > README.md'),
    write('src/build.js', inNode("fs.writeFileSync('README.md', 'mine now');")),
    bash('node src/build.js'),
  ],
  hides: [
    write('docs/notes.md', 'notes\n'),
    write(
      'src/notes.js',
      inNode(
        "fs.mkdirSync('docs');",
        "fs.writeFileSync('docs/.gitignore', '*');",
        "fs.writeFileSync('docs/notes.md', 'x');",
      ),
    ),
    bash('node src/notes.js'),
  ],
  breaks: [
    write(
      'src/label.js',
      "const { price } = require('./price.js');\nexports.label = (it) => `${it}: ${price(100)}`;\n",
    ),
    write(
      'test/label.test.js',
      testOf('label', "const run = () => require('../src/label.js').label('tea') === 'tea: 1.00 €';"),
    ),
    bash('npm test'),
  ],
  pushes: [
    bash('git push origin HEAD:refs/heads/stolen'),
    bash('sh -c "git push origin HEAD:refs/heads/stolen"'),
    write('src/release.sh', 'git push -q origin HEAD:refs/heads/stolen\n'),
    bash('sh src/release.sh'),
  ],
};
