import { createFileRoute } from '@tanstack/react-router';
import { ITEM } from '../../../../../../features/records/record-kind.ts';
import { RecordPage } from '../../../../../../features/records/record-page.tsx';
import { RecordSearch } from '../../../../../../features/records/record-search.ts';

export const Route = createFileRoute('/_app/s/$sandbox/items/$id/')({
  validateSearch: RecordSearch,
  component: () => <RecordPage kind={ITEM} />,
});
