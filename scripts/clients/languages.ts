// The languages that a client is generated for, and what a machine needs for each.

export type Language = {
  /** Names the recipe, docs/clients/<name>.md, and the language on the command line. */
  name: string;
  title: string;
  generator: string;
  /** Commands that answer 0 only where the toolchain is there. */
  needs: readonly (readonly [command: string, ...args: string[]])[];
};

export const LANGUAGES: readonly Language[] = [
  {
    name: 'typescript',
    title: 'TypeScript',
    generator: 'openapi-typescript 7.13.0',
    needs: [
      ['node', '-e', 'process.exit(Number.parseInt(process.versions.node) < 20 ? 1 : 0)'],
      ['npm', '--version'],
    ],
  },
  {
    name: 'python',
    title: 'Python',
    generator: 'openapi-python-client 0.29.1',
    needs: [['python3', '-c', 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))']],
  },
  {
    name: 'go',
    title: 'Go',
    generator: 'oapi-codegen 2.8.2',
    needs: [['go', 'version']],
  },
  {
    name: 'java',
    title: 'Java',
    generator: 'openapi-generator 7.25.0',
    needs: [
      ['javac', '-version'],
      ['mvn', '--version'],
    ],
  },
  {
    name: 'rust',
    title: 'Rust',
    generator: 'progenitor 0.15.1',
    needs: [['cargo', '--version']],
  },
];
