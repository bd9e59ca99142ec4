// One Item or Xp table: edit it, as a form or as JSON, and see its history.
import { useQuery } from '@tanstack/react-query';
import { Page } from '../../components/page/page.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { useUrlValues } from '../../components/url/url-state.ts';
import type { RecordKind } from '../../features/records/record-kind.ts';
import { ITEM, XP } from '../../features/records/record-kind.ts';
import { ListLink } from '../../features/records/record-links.tsx';
import { recordOptions, useRecordPlace } from '../../features/records/record-queries.ts';
import { RecordActions } from './record-actions.tsx';
import { RecordMarks } from './record-marks.tsx';
import { RecordTabs } from './record-tabs.tsx';

export const ItemPage = () => <RecordPage kind={ITEM} />;
export const XpTablePage = () => <RecordPage kind={XP} />;

const RecordPage = ({ kind }: { kind: RecordKind }) => {
  const { sandbox, id } = useRecordPlace();
  const { tab } = useUrlValues();
  const record = useQuery(recordOptions(kind, sandbox, id));
  const stored = record.data;
  return (
    <Page
      title={stored?.name ?? kind.one}
      layout={tab === 'history' ? 'fill' : 'scroll'}
      above={<ListLink kind={kind} sandbox={sandbox} />}
      beside={stored && <RecordMarks record={stored} id={id} />}
      actions={stored && <RecordActions kind={kind} sandbox={sandbox} stored={stored} />}
    >
      <QueryState query={record}>
        {(shown) => <RecordTabs key={id} kind={kind} sandbox={sandbox} stored={shown} />}
      </QueryState>
    </Page>
  );
};
