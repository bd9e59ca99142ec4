import { createFileRoute } from '@tanstack/react-router';
import { CompareRecordPage } from '../../../../../../features/records/compare-record-page.tsx';
import { ITEM } from '../../../../../../features/records/record-kind.ts';
import { CompareRecordSearch } from '../../../../../../features/records/record-search.ts';

export const Route = createFileRoute('/_app/s/$sandbox/items/$id/compare')({
  validateSearch: CompareRecordSearch,
  component: () => <CompareRecordPage kind={ITEM} />,
});
