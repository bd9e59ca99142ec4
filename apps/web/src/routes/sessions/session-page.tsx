import { getRouteApi, Link } from '@tanstack/react-router';
import { Page } from '../../components/page/page.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { useLiveSession } from './live-session.ts';
import { SessionView } from './session-view.tsx';

const route = getRouteApi('/app/sessions/$type/$id');

export const SessionPage = () => {
  const { type, id } = route.useParams();
  const query = useLiveSession({ type, session_id: id });
  if (query.data) {
    const isStale = query.failureCount > 0 || query.isError;
    return <SessionView key={query.data.session.created} live={query.data} isStale={isStale} />;
  }
  return (
    <Page title="Session" above={<Link to="/sessions">Sessions</Link>}>
      <QueryState query={query}>{() => null}</QueryState>
    </Page>
  );
};
