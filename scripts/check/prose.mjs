// `npm run check:prose -- [--limit <hits per 1,000 words>] [folder or file …]`: finds wording that readers stumble over, and object
// literals that are packed into a spread. A hit is a hint to rewrite the sentence.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isSource, listRepositoryFiles } from '../import-rules/source-files.mjs';
import { ROOT } from '../setup/repository.mjs';

/** @typedef {{ odd: RegExp, better: string }} Expression */
/** @typedef {{ file: string, line: number, found: string, better: string }} Hit */

/** @type {readonly Expression[]} */
export const EXPRESSIONS = [
  // Subjects without a name.
  { odd: /\b(?:any|every|no|some)body\b/gi, better: 'name the clients, callers or people' },
  { odd: /\bwho(?:m)?ever\b/gi, better: 'name the client, caller or person' },
  { odd: /\bwhatever (?:it|he|she|they)\b/gi, better: 'name the thing' },
  {
    odd: /(?:^|[.;:] )(?:What|Who|Whom|Whose) (?!(?:is|are|was|were|does|do|did|has|have|can|could|should|must|may|would|happens|changes|it|this|that|the|a|an|you|we|they|each|every|your|if|to|about|next|else)\b)\w+ ?[^?]*$/g,
    better: 'begin with a noun: "A client that …"',
  },

  // Time and order.
  { odd: /\b(?:meanwhile|hitherto|thereby)\b/gi, better: 'while …, until then, so that' },
  { odd: /\bone after the other\b/gi, better: 'in sequence, in order, one at a time' },
  { odd: /\bfor as long as\b|\bat most so\b/gi, better: 'while …, at most …' },
  { odd: /\bas often as not\b|\bby and by\b/gi, better: 'often, gradually' },
  {
    odd: /\bso (?:many|much|long)\b(?! (?:as|that))/gi,
    better: 'give the number or name the limit',
  },

  // Messages and knowledge.
  { odd: /\b(?:is|are|was|were|be|been|being) told\b/gi, better: 'receives, is set to' },
  { odd: /\btells? (?:what|who|why|how|that|of|nothing)\b/gi, better: 'reports, shows' },
  { odd: /\bhea(?:r|rs|rd) (?:of|from)\b/gi, better: 'receives, is notified of' },
  { odd: /\bsays? (?:so|what|who|which|why|how|that it)\b/gi, better: 'explains, lists, reports' },

  // Limits and overload.
  { odd: /\bturn(?:s|ed|ing)? away\b/gi, better: 'reject' },
  { odd: /\b(?:held|holds?|holding) back\b/gi, better: 'delay, throttle' },
  { odd: /\b(?:owe|owes|owed|debtors?)\b/gi, better: 'limit, budget' },
  { odd: /\bgiv(?:e|es|en|ing) (?:back|(?:it|them) (?:back|up))\b/gi, better: 'release, return' },
  { odd: /\b(?:set|put) aside\b/gi, better: 'park, queue, store' },

  // States and changes.
  { odd: /\b(?:is|are|was|were) away\b/gi, better: 'is down, is unavailable' },
  { odd: /\b(?:mend(?:s|ed)?|cure[sd]?)\b/gi, better: 'fix, correct' },
  { odd: /\b(?:go|goes|going|went) on\b/gi, better: 'continue' },
  {
    odd: /\bcom(?:e|es|ing) (?:back|behind|beside|of|with)\b/gi,
    better: 'return, follow, include',
  },
  { odd: /\bstands? (?:alone|behind|beside|for|in|still|under)\b/gi, better: 'represents, is in' },
  { odd: /\bstays? (?:as (?:it|they)|what|where|who)\b/gi, better: 'is unchanged' },
  { odd: /\bby themselves\b/gi, better: 'automatically, without help' },
  { odd: /\b(?:is|are) to be \w+(?:ed|en|nt|ld|pt|ad)\b/gi, better: 'must be, is' },

  // Word order.
  { odd: /, (?:too|either)(?=[.,;)]|$)/g, better: 'also, as well' },
];

const PROSE = /\.(?:md|txt)$/;
const CODE = /\.(?:ts|tsx|mjs|js|css|sql|prisma|ya?ml|sh|service)$|^\.ci\/run$/;

/** Files without prose of our own: generated, published, or fixed by a recorded checksum. */
const SKIPPED = [
  /(?:^|\/)(?:generated|node_modules|dist|released|pacts)\//,
  /^(?:CHANGELOG|LICENSE)/,
  /^contracts\/provider-states\.md$/,
  /^docs\/reference\//,
  /^packages\/client\/src\/wire\//,
  /^prisma\/migrations\//,
  /routeTree\.gen\.ts$/,
  /^scripts\/check\/prose\./,
];

/** @param {string[]} args @returns {number} the exit code */
export function checkProse(args) {
  const { values, positionals } = parseArgs({
    args,
    options: { limit: { type: 'string', default: '0.3' } },
    allowPositionals: true,
  });
  const limit = Number(values.limit);
  if (!(limit >= 0)) {
    console.error(`--limit takes a number of hits per 1,000 words, not "${values.limit}".`);
    return 2;
  }
  const files = listRepositoryFiles(ROOT).filter(
    (file) =>
      isChecked(file) &&
      (positionals.length === 0 || positionals.some((folder) => isWithin(file, folder))),
  );
  const results = files.map((file) => checkFile(file, readFileSync(join(ROOT, file), 'utf8')));
  const hits = results.flatMap((result) => result.hits);
  const packed = results.flatMap((result) => result.packed);
  const words = results.reduce((sum, result) => sum + result.words, 0);
  for (const { file, line, found, better } of [...hits, ...packed]) {
    console.log(`${file}:${line}  "${found}"  better: ${better}`);
  }
  const rate = words === 0 ? 0 : (hits.length / words) * 1_000;
  console.log(
    `${hits.length} in ${words} words: ${rate.toFixed(2)} per 1,000, at most ${limit} allowed; ${packed.length} packed literals.`,
  );
  return rate > limit || packed.length > 0 ? 1 : 0;
}

/** @param {string} file */
export function isChecked(file) {
  return (PROSE.test(file) || CODE.test(file)) && !SKIPPED.some((skipped) => skipped.test(file));
}

/** @param {string} file @param {string} folder */
function isWithin(file, folder) {
  return file === folder || file.startsWith(`${folder.replace(/\/$/, '')}/`);
}

/**
 * @param {string} file
 * @param {string} source
 * @param {readonly Expression[]} [expressions]
 * @returns {{ hits: Hit[], packed: Hit[], words: number }}
 */
export function checkFile(file, source, expressions = EXPRESSIONS) {
  const texts = source.split('\n').map((line) => (PROSE.test(file) ? [line] : readTexts(line)));
  const words = texts.flat().flatMap((text) => text.match(/\S+/g) ?? []).length;
  const hits = texts.flatMap((parts, index) =>
    parts.flatMap((text) =>
      expressions.flatMap(({ odd, better }) =>
        (text.match(odd) ?? []).map((found) => ({
          file,
          line: index + 1,
          found: found.trim().slice(0, 40),
          better,
        })),
      ),
    ),
  );
  return { hits, packed: isSource(file) ? findPackedLiterals(file, source) : [], words };
}

const COMMENT = /(?:^|\s)(?:\/\/|\/\*\*?|\*|--|#)\s+(.*?)(?:\s*\*\/)?$/;
const QUOTED = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`|>([^<>{}]+)</g;

/** The comment of a line of code, and its quoted texts of several words. @param {string} line */
function readTexts(line) {
  const comment = line.match(COMMENT);
  const code = comment ? line.slice(0, comment.index) : line;
  const quoted = [...code.matchAll(QUOTED)]
    .map((match) => match.slice(1).find((text) => text !== undefined) ?? '')
    .filter((text) => text.trim().includes(' '));
  return comment?.[1] ? [comment[1], ...quoted] : quoted;
}

const PACKED = /\.{3}\{/g;

/** A conditional spread, `...(condition && { … })`, is not a hit. @param {string} file @param {string} source @returns {Hit[]} */
function findPackedLiterals(file, source) {
  return source.split('\n').flatMap((text, index) => {
    const comment = text.match(COMMENT);
    const code = comment ? text.slice(0, comment.index) : text;
    return (code.match(PACKED) ?? []).map((found) => ({
      file,
      line: index + 1,
      found,
      better: 'write the properties in the literal itself',
    }));
  });
}
