// What a user can do with the records of a past moment: restore them as a change set, and export them.
import { getRouteApi } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { useSandboxId } from '../../api/sandboxes.ts';
import { useFirstPage } from '../../ui/table/paged-rows.ts';
import { MakeSetButton } from '../change-sets/revert-button.tsx';
import { ExportButton } from '../export/export-button.tsx';
import { RECORD_KINDS } from '../records/record-kind.ts';
import { asOfOptions } from './as-of-query.ts';

const route = getRouteApi('/_app/s/$sandbox/history');

export const PastActions = () => (
  <>
    <PastExport />
    <RestorePastButton />
  </>
);

type RestorePastButtonProps = {
  /** Absent: all records that match the filters. */
  ids?: readonly string[];
  /** Why nothing can be restored. */
  reason?: string | false;
};

/** Makes a change set and opens it. Nothing changes until the user applies it there. */
export const RestorePastButton = ({ ids, reason = false }: RestorePastButtonProps) => {
  const { at, name, kind = 'item' } = route.useSearch();
  const sandbox_id = useSandboxId();
  const restore = () =>
    api.changeSets.restorePast.mutate({
      sandbox_id,
      kind,
      at: at ?? '',
      ...(ids === undefined ? { name } : { record_ids: [...ids] }),
    });
  return (
    <MakeSetButton
      sandbox={sandbox_id}
      make={restore}
      reason={(at === undefined && 'Choose a time in the past first.') || reason}
    >
      {labelOf(ids, name)}
    </MakeSetButton>
  );
};

const labelOf = (ids: readonly string[] | undefined, name: string | undefined): string => {
  if (ids) return `Restore ${ids.length.toLocaleString('en')} …`;
  return name ? 'Restore all that match …' : 'Restore all …';
};

const PastExport = () => {
  const search = route.useSearch();
  const sandbox = useSandboxId();
  const seq = useFirstPage(asOfOptions(sandbox, search))?.as_of.seq;
  const { name, kind = 'item' } = search;
  const toUrl = (format: string) => {
    const query = new URLSearchParams({ format, as_of: String(seq), ...(name && { name }) });
    return `/admin/export/${sandbox}/${kind}?${query}`;
  };
  const label = `${RECORD_KINDS[kind].many} at this time`;
  return <ExportButton lists={[{ kind, label, toUrl }]} isDisabled={seq === undefined} />;
};
