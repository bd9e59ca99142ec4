import { Link } from '@tanstack/react-router';
import { ITEM, XP } from '../../../features/records/record-kind.ts';
import { useRecordPlace } from '../../../features/records/record-queries.ts';
import type { Version } from './version-columns.tsx';

/** Opens a version beside the history that lists it. */
export const VersionLink = ({ version }: { version: Version }) => {
  const { sandbox } = useRecordPlace();
  const { paths } = version.kind === 'item' ? ITEM : XP;
  return (
    <Link
      to={paths.record}
      params={{ sandbox, id: version.record_id }}
      search={{ tab: 'history', version: version.version_id }}
    >
      {version.version}
    </Link>
  );
};
