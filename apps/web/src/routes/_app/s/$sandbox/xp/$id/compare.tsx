import { createFileRoute } from '@tanstack/react-router';
import { CompareRecordPage } from '../../../../../../features/records/compare-record-page.tsx';
import { XP } from '../../../../../../features/records/record-kind.ts';
import { CompareRecordSearch } from '../../../../../../features/records/record-search.ts';

export const Route = createFileRoute('/_app/s/$sandbox/xp/$id/compare')({
  validateSearch: CompareRecordSearch,
  component: () => <CompareRecordPage kind={XP} />,
});
