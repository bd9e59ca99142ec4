import { createFileRoute } from '@tanstack/react-router';
import { ITEM } from '../../../../../features/records/record-kind.ts';
import { recordListOptions } from '../../../../../features/records/record-queries.ts';
import { ItemsSearch } from '../../../../../features/records/record-search.ts';
import { RecordsPage } from '../../../../../features/records/records-page.tsx';
import { prefetchRows } from '../../../../../ui/table/paged-rows.ts';

export const Route = createFileRoute('/_app/s/$sandbox/items/')({
  validateSearch: ItemsSearch,
  loaderDeps: ({ search: { name, deleted, where } }) => ({ name, deleted, where }),
  loader: ({ params, deps }) => prefetchRows(recordListOptions(ITEM, params.sandbox, deps)),
  component: () => <RecordsPage kind={ITEM} />,
});
