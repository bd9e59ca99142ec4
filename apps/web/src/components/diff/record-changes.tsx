import { diffRecords } from '@muster/record-diff';
import { useMemo } from 'react';
import { ChangeTable } from './change-table.tsx';

export const RecordChanges = ({ before, after }: { before?: object; after?: object }) => {
  const changes = useMemo(() => diffRecords(before ?? null, after ?? null), [before, after]);
  return <ChangeTable changes={changes} />;
};
