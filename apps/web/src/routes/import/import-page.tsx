// Many Items or Xp tables from a file: checked first, looked at, then applied as a whole or not at all.
import { getRouteApi } from '@tanstack/react-router';
import { usePermission } from '../../access/me.ts';
import { Page } from '../../components/page/page.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { Importer } from './importer.tsx';

const route = getRouteApi('/app/s/$sandbox/import');

export const ImportPage = () => {
  const { sandbox } = route.useParams();
  const mayEdit = usePermission(['sandbox:config:edit'], sandbox);
  return (
    <Page title="Import">
      {mayEdit ? (
        <Importer key={sandbox} sandbox={sandbox} />
      ) : (
        <EmptyState title="Your account may not import here">
          It needs sandbox:config:edit for this sandbox.
        </EmptyState>
      )}
    </Page>
  );
};
