import { createFileRoute } from '@tanstack/react-router';
import { XP } from '../../../../../features/records/record-kind.ts';
import { recordListOptions } from '../../../../../features/records/record-queries.ts';
import { XpSearch } from '../../../../../features/records/record-search.ts';
import { RecordsPage } from '../../../../../features/records/records-page.tsx';
import { prefetchRows } from '../../../../../ui/table/paged-rows.ts';

export const Route = createFileRoute('/_app/s/$sandbox/xp/')({
  validateSearch: XpSearch,
  loaderDeps: ({ search: { name, deleted, where } }) => ({ name, deleted, where }),
  loader: ({ params, deps }) => prefetchRows(recordListOptions(XP, params.sandbox, deps)),
  component: () => <RecordsPage kind={XP} />,
});
