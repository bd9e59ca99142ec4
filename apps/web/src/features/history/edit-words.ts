// What an edit did, in words.
import { nameField } from '@muster/record-diff';
import { RECORD_KINDS } from '../records/record-kind.ts';
import { OPERATION_LABELS } from '../records/record-links.tsx';
import type { Edit } from './history-query.ts';

/** "36 Items changed, 2 Xp tables created". */
export const describeEdit = ({ counts }: Pick<Edit, 'counts'>): string =>
  counts
    .map(({ kind, operation, records }) => {
      const { one, many } = RECORD_KINDS[kind];
      const count = `${records.toLocaleString('en')} ${records === 1 ? one : many}`;
      return `${count} ${OPERATION_LABELS[operation][0]}`;
    })
    .join(', ');

export const describeFields = ({ changed_fields }: Pick<Edit, 'changed_fields'>): string =>
  changed_fields.map(nameField).join(', ');

/** The title of its change set, the name of its only record, or the number of its records. */
export const nameEdit = ({ title, name, counts }: Edit): string => {
  const records = counts.reduce((sum, count) => sum + count.records, 0);
  return title ?? name ?? `${records.toLocaleString('en')} records`;
};
