// Whether a change of the contract is what a finding speaks of: same operation, and the same field, parameter or status.
import type { Finding } from '../finding.ts';
import type { BreakingChange } from './find-changes.ts';

export const explains = (change: BreakingChange, finding: Finding): boolean => {
  if (change.id.startsWith('api-')) return ['unknown-path', 'wrong-method'].includes(finding.rule);
  const named = namesIn(change.text);
  if (finding.rule === 'undeclared-status') return named.some((name) => speaksOf(finding, name));
  const field = fieldOf(finding);
  if (field !== null) return named.some((name) => isSameField(name, field));
  return named.some((name) => name.length > 2 && speaksOf(finding, name));
};

/** oasdiff sets what it speaks of in back-ticks: names, statuses, values. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].flatMap(([, name]) => (name === undefined ? [] : [name]));

const speaksOf = ({ message, suggestion = '' }: Finding, name: string): boolean =>
  `${message} ${suggestion}`.split(/[^\w./-]+/).includes(name);

/** `$.teams[0].players[0].status` is `teams/players/status`. */
const fieldOf = ({ message }: Finding): string | null => {
  const [path] = /\$[\w.[\]*"-]*/.exec(message) ?? [];
  return path === undefined
    ? null
    : path
        .replace(/\[[^\]]*\]/g, '')
        .replace(/^\$\.?/, '')
        .replaceAll('.', '/');
};

/** A change of an object is one of everything inside it. */
const isSameField = (name: string, field: string): boolean => {
  const changed = name.replace(/(^|\/)items(?=\/|$)/g, '').replace(/^\//, '');
  return changed !== '' && (field === changed || field.startsWith(`${changed}/`));
};
