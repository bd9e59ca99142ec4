import { createFileRoute } from '@tanstack/react-router';
import { requirePermission } from '../../../../../api/me.ts';
import {
  NewRecordPage,
  NewRecordRefused,
} from '../../../../../features/records/new-record-page.tsx';
import { ITEM } from '../../../../../features/records/record-kind.ts';
import { NewRecordSearch } from '../../../../../features/records/record-search.ts';

export const Route = createFileRoute('/_app/s/$sandbox/items/new')({
  validateSearch: NewRecordSearch,
  beforeLoad: ({ context, params }) =>
    requirePermission(context.me, ['sandbox:config:edit'], params.sandbox),
  component: () => <NewRecordPage kind={ITEM} />,
  notFoundComponent: () => <NewRecordRefused kind={ITEM} />,
});
