import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { QueryState } from '../../components/states/query-state.tsx';
import { AuditStory } from './audit-story.tsx';
import { describeAction } from './audit-words.ts';

/** One record in full, beside the list. */
export const AuditDetails = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const query = useQuery(trpc.audit.get.queryOptions({ audit_id: id }));
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title={query.data ? describeAction(query.data.action) : 'Change'}
    >
      <QueryState query={query}>{(record) => <AuditStory record={record} />}</QueryState>
    </Drawer>
  );
};
