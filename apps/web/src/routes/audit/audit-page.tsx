// Every change that anybody made: who, when, what, and from where.
import { getRouteApi } from '@tanstack/react-router';
import { usePermission } from '../../access/me.ts';
import type { ApiOutputs } from '../../api/trpc.ts';
import { api, trpc } from '../../api/trpc.ts';
import { DataTable } from '../../components/data-table/data-table.tsx';
import { usePagedRows } from '../../components/data-table/use-paged-rows.ts';
import { useFilters } from '../../components/filters/filter-bar.tsx';
import { Page } from '../../components/page/page.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { useUrlChange } from '../../components/url/url-state.ts';
import type { AuditRecord } from './audit-columns.tsx';
import { AUDIT_COLUMNS } from './audit-columns.tsx';
import { AuditDetails } from './audit-details.tsx';
import { AUDIT_FILTERS, AuditFilters } from './audit-filters.tsx';

const route = getRouteApi('/app/audit');
const rowId = ({ audit_id }: AuditRecord) => audit_id;
const rowsOf = ({ records }: ApiOutputs['audit']['list']) => records;
const PAGE_SIZE = 100;
const LIVE_MS = 5000;

export const AuditPage = () =>
  usePermission(['audit:view']) ? (
    <AuditList />
  ) : (
    <Page title="Audit">
      <EmptyState title="Your account may not see the audit trail" />
    </Page>
  );

const AuditList = () => {
  const { account, action, target, in: sandbox_id, from, to, record } = route.useSearch();
  const change = useUrlChange();
  const input = { account_id: account, action, target, sandbox_id, from, to, page_size: PAGE_SIZE };
  const rows = usePagedRows({
    queryKey: [...trpc.audit.list.pathKey(), input],
    fetchPage: (cursor, signal) => api.audit.list.query({ ...input, cursor }, { signal }),
    rowsOf,
    rowId,
    liveMs: LIVE_MS,
  });
  const { isFiltered, clear } = useFilters(AUDIT_FILTERS);
  return (
    <Page title="Audit" layout="fill">
      <AuditFilters />
      <DataTable
        label="Changes"
        rows={rows}
        columns={AUDIT_COLUMNS}
        onOpen={({ audit_id }) => change({ record: audit_id }, { push: true })}
        isFiltered={isFiltered}
        onClearFilters={clear}
        empty={
          <EmptyState title="Nothing has been changed yet">
            Each change leaves a record here that nobody can edit.
          </EmptyState>
        }
      />
      {record && <AuditDetails id={record} onClose={() => change({ record: undefined })} />}
    </Page>
  );
};
