// Prints the cursors of the history of a sandbox's Items at given positions, so that the benchmarks can start in the
// middle of a history. Arguments: sandbox id, as-of, total, positions.
import { encodeCursor } from '../src/catalogue/history/history-query.ts';

const [sandboxId = '', asOf = '', total = '', ...positions] = process.argv.slice(2);
const query = { kind: 'item', sandboxId, order: 'desc', filter: {} } as const;
for (const position of positions) {
  const state = { position: Number(position), asOf: Number(asOf), total: Number(total) };
  process.stdout.write(`${encodeCursor(query, state)}\n`);
}
