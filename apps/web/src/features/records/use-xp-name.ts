import { useQuery } from '@tanstack/react-query';
import { XP } from './record-kind.ts';
import { recordOptions } from './record-queries.ts';

/** The name of an Xp table; its id when there is no such table. */
export const useXpName = (sandbox: string, id: string | undefined): string => {
  const table = useQuery({ ...recordOptions(XP, sandbox, id ?? ''), enabled: id !== undefined });
  if (id === undefined) return '';
  if (!table.data) return table.isPending ? '…' : id;
  return table.data.deleted ? `${table.data.name} (deleted)` : table.data.name;
};
