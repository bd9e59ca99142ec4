// Counts the steps of a piece of work instead of measuring time: the elements and characters that the built-in functions of strings, lists
// and buffers process. This shows quadratic work on a machine of any speed.

type Self = { length: number; lastIndex?: number };
/** `from` is where a regular expression began to look. */
type Cost = (self: Self, given: unknown[], result: unknown, from: number) => number;

const whole: Cost = ({ length }) => length;
/** A search ends where it finds something. */
const upToFound: Cost = ({ length }, _, at) => (at === -1 ? length : Number(at) + 1);
const ofArgument: Cost = (_, [given]) => String(given).length;
/** A sticky or global expression continues at its last match, and stops at the next one. */
const upToMatch: Cost = ({ lastIndex = 0 }, [given], result, from) =>
  result && lastIndex > 0 ? lastIndex - from : String(given).length - from;

const COUNTED: readonly [holder: object, names: readonly (string | symbol)[], cost: Cost][] = [
  [Array.prototype, ['indexOf', 'lastIndexOf', 'findIndex'], upToFound],
  [Array.prototype, ['includes', 'find', 'some', 'every', 'filter', 'map', 'flatMap'], whole],
  [Array.prototype, ['reduce', 'forEach', 'concat', 'slice', 'join', 'sort', 'flat'], whole],
  [
    Array.prototype,
    ['toSorted', 'toReversed', 'entries', 'keys', 'values', Symbol.iterator],
    whole,
  ],
  [String.prototype, ['split', 'includes', 'replace', 'replaceAll', 'trim', 'concat'], whole],
  [String.prototype, ['indexOf', 'search'], upToFound],
  [RegExp.prototype, ['exec', 'test'], upToMatch],
  [JSON, ['parse'], ofArgument],
  [JSON, ['stringify'], (_, __, result) => String(result ?? '').length],
  [Object, ['keys', 'entries', 'values'], (_, __, result) => (result as unknown[]).length],
  [Object, ['fromEntries'], (_, __, result) => Reflect.ownKeys(result as object).length],
  [Buffer, ['concat'], (_, __, result) => (result as Buffer).length],
];

/** The number of steps that the work takes. No other work may run at the same time. */
export const countSteps = async (work: () => unknown): Promise<number> => {
  let steps = 0;
  const restore: (() => void)[] = [];
  for (const [holder, names, cost] of COUNTED) {
    for (const name of names) {
      const original = Object.getOwnPropertyDescriptor(holder, name);
      if (typeof original?.value !== 'function') throw new Error(`No function ${String(name)}`);
      const call = original.value;
      function counted(this: Self, ...given: unknown[]): unknown {
        const from = this.lastIndex ?? 0;
        const result = Reflect.apply(call, this, given);
        steps += cost(this, given, result, from);
        return result;
      }
      Object.defineProperty(holder, name, { ...original, value: counted });
      restore.push(() => Object.defineProperty(holder, name, original));
    }
  }
  try {
    await work();
  } finally {
    for (const undo of restore) undo();
  }
  return steps;
};
