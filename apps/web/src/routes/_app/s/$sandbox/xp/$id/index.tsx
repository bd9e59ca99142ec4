import { createFileRoute } from '@tanstack/react-router';
import { XP } from '../../../../../../features/records/record-kind.ts';
import { RecordPage } from '../../../../../../features/records/record-page.tsx';
import { RecordSearch } from '../../../../../../features/records/record-search.ts';

export const Route = createFileRoute('/_app/s/$sandbox/xp/$id/')({
  validateSearch: RecordSearch,
  component: () => <RecordPage kind={XP} />,
});
