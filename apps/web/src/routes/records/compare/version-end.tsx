import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ApiOutputs } from '../../../api/trpc.ts';
import { trpc } from '../../../api/trpc.ts';
import { formatAbsolute } from '../../../components/time/format-time.ts';
import { timeZone } from '../../../preferences/time-zone.ts';

type VersionEndProps = {
  sandbox: string;
  recordId: string;
  label: string;
  value: string | undefined;
  onChange: (versionId: string) => void;
};

/** Older versions are chosen in the history, which lists all. */
const MOST_CHOICES = 200;

type Version = ApiOutputs['versions']['list']['versions'][number];

/** One end of a comparison: the newest versions to choose from, and the chosen one whatever its age. */
export const VersionEnd = ({ sandbox, recordId, label, value, onChange }: VersionEndProps) => {
  const zone = timeZone.use();
  const place = { sandbox_id: sandbox };
  const newest = useQuery(
    trpc.versions.list.queryOptions({ ...place, record_id: recordId, page_size: MOST_CHOICES }),
  );
  const listed: readonly Version[] = newest.data?.versions ?? [];
  const isListed = listed.some(({ version_id }) => version_id === value);
  const chosen = useQuery({
    ...trpc.versions.get.queryOptions({ ...place, version_id: value ?? '' }),
    enabled: value !== undefined && newest.data !== undefined && !isListed,
  });
  const all = chosen.data && !isListed ? [...listed, chosen.data] : listed;
  return (
    <Select
      label={label}
      w={370}
      maw="100%"
      searchable
      placeholder="A version"
      nothingFoundMessage="No such version"
      data={all.map((version) => {
        const when = formatAbsolute(new Date(version.issued_at), zone);
        return { value: version.version_id, label: `Version ${version.version} · ${when}` };
      })}
      value={value ?? null}
      onChange={(versionId) => versionId && onChange(versionId)}
    />
  );
};
