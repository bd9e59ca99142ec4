// The languages that a client is generated for, what a machine needs for each, and how the command line selects them.
import { parseArgs } from 'node:util';
import { SetupError } from '../setup/repository.mjs';

export type Language = {
  /** Names the recipe, docs/clients/<name>.md, and the language on the command line. `admin-…` are clients of the admin API. */
  name: string;
  title: string;
  generator: string;
  /** Shell commands that succeed only where the toolchain is installed. */
  needs: readonly string[];
  /** The Debian packages that provide the programs. */
  debianPackages?: readonly string[];
  /** Set for languages whose compiler is hard to install: the generated files and the program are parsed, not run. */
  isSyntaxOnly?: boolean;
};

const OPENAPI_GENERATOR = 'openapi-generator 7.25.0';
const GENERATOR_JAR = ['java -version', 'mvn --version'];
const NODE_20 = ['test "$(node -p process.versions.node | cut -d. -f1)" -ge 20', 'npm --version'];
const PYTHON_VENV = 'python3 -c "import ensurepip, venv"';
/** perl takes enumerations out of the document. */
const PERL = 'perl -v';

const PUBLIC_LANGUAGES: readonly Language[] = [
  {
    name: 'typescript',
    title: 'TypeScript',
    generator: 'openapi-typescript 7.13.0',
    needs: NODE_20,
  },
  { name: 'hey-api', title: 'TypeScript', generator: 'openapi-ts 0.95.0', needs: NODE_20 },
  {
    name: 'python',
    title: 'Python',
    generator: 'openapi-python-client 0.29.1',
    needs: [PYTHON_VENV, 'python3 -c "import sys; sys.exit(sys.version_info < (3, 11))"', PERL],
  },
  { name: 'go', title: 'Go', generator: 'oapi-codegen 2.8.2', needs: ['go version'] },
  { name: 'ogen', title: 'Go', generator: 'ogen 1.24.0', needs: ['go version', PERL] },
  {
    name: 'java',
    title: 'Java',
    generator: OPENAPI_GENERATOR,
    needs: ['javac -version', ...GENERATOR_JAR, PERL],
  },
  {
    name: 'kotlin',
    title: 'Kotlin',
    generator: OPENAPI_GENERATOR,
    needs: [...GENERATOR_JAR, PERL],
  },
  {
    name: 'rust',
    title: 'Rust',
    generator: 'progenitor 0.15.1',
    needs: ['cargo --version', PERL],
  },
  {
    name: 'cpp',
    title: 'C++',
    generator: OPENAPI_GENERATOR,
    needs: [
      'cmake --version',
      'echo "#include <cpprest/http_client.h>" | g++ -std=c++20 -E -x c++ - -o /dev/null',
      ...GENERATOR_JAR,
      PERL,
    ],
    debianPackages: ['g++', 'cmake', 'libcpprest-dev', 'libboost-dev', 'libssl-dev'],
  },
  {
    name: 'csharp',
    title: 'C#',
    generator: OPENAPI_GENERATOR,
    needs: [
      'mono --version',
      'mcs --version',
      'test -e /usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll',
      'test -e /usr/lib/mono/4.5/System.Net.Http.dll',
      'test -e /usr/lib/mono/4.5/System.ComponentModel.DataAnnotations.dll',
      ...GENERATOR_JAR,
      PERL,
    ],
    debianPackages: [
      'mono-mcs',
      'libmono-system-net-http4.0-cil',
      'libmono-system-componentmodel-dataannotations4.0-cil',
      'libnewtonsoft-json5.0-cil',
    ],
  },
  {
    name: 'php',
    title: 'PHP',
    generator: OPENAPI_GENERATOR,
    needs: [
      `php -r 'require "GuzzleHttp/autoload.php"; exit(extension_loaded("mbstring") && extension_loaded("curl") ? 0 : 1);'`,
      ...GENERATOR_JAR,
      PERL,
    ],
    debianPackages: ['php-cli', 'php-curl', 'php-mbstring', 'php-guzzlehttp-guzzle'],
  },
  {
    name: 'ruby',
    title: 'Ruby',
    generator: OPENAPI_GENERATOR,
    needs: [`ruby -e 'require "typhoeus"'`, ...GENERATOR_JAR, PERL],
    debianPackages: ['ruby', 'ruby-typhoeus'],
  },
  {
    name: 'dart',
    title: 'Dart',
    generator: OPENAPI_GENERATOR,
    needs: [PYTHON_VENV, ...GENERATOR_JAR],
    isSyntaxOnly: true,
  },
  {
    name: 'swift',
    title: 'Swift',
    generator: OPENAPI_GENERATOR,
    needs: [PYTHON_VENV, ...GENERATOR_JAR],
    isSyntaxOnly: true,
  },
];

/** The admin API has a document of its own, which the same generators read. */
const ADMIN_LANGUAGES = ['typescript', 'python', 'go', 'java', 'csharp'];

export const LANGUAGES: readonly Language[] = [
  ...PUBLIC_LANGUAGES,
  ...PUBLIC_LANGUAGES.filter(({ name }) => ADMIN_LANGUAGES.includes(name)).map((language) => ({
    ...language,
    name: `admin-${language.name}`,
    title: `${language.title} (admin)`,
  })),
];

const USAGE = `npm run clients [-- --only ${LANGUAGES.map(({ name }) => name).join(',')} | --serve]

  --only a,b  only these languages
  --serve     starts the service, prints what a recipe's program needs, and serves until Ctrl-C`;

/** Throws a SetupError with the usage. */
export const readOptions = (args: string[]) => {
  try {
    const options = {
      only: { type: 'string' },
      serve: { type: 'boolean', default: false },
    } as const;
    const { only, serve } = parseArgs({ args, options }).values;
    const names = only?.split(',').map((name) => name.trim());
    const unknown = names?.find((name) => !LANGUAGES.some((language) => language.name === name));
    if (unknown !== undefined) throw new Error(`There is no recipe for "${unknown}".`);
    return {
      languages: names ? LANGUAGES.filter(({ name }) => names.includes(name)) : LANGUAGES,
      serve,
    };
  } catch (error) {
    throw new SetupError(`${(error as Error).message}\n\n${USAGE}`);
  }
};
