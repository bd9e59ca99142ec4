import { SearchLink } from '../../components/url/search-link.tsx';
import type { Version } from './history-query.ts';

/** Opens what a version changed, beside the list. */
export const ChangeLink = ({ version }: { version: Version }) => (
  <SearchLink changes={{ version: version.version_id }}>{version.name}</SearchLink>
);
