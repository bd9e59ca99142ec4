// Names that users have chosen. They may be older than the rules for new names.
import { isVisible } from '@muster/contract';

type Named = { name: string; id?: string };

/** The name, or a text that can be seen and clicked if the name has no visible character. */
export const nameOf = ({ name, id }: Named): string => {
  if (isVisible(name)) return name;
  return id === undefined ? '(no visible name)' : `(no visible name) ${id.slice(0, 8)}`;
};

/** The same for a place with text around it, which the direction of the name must not change. */
export const Name = (named: Named) => <bdi>{nameOf(named)}</bdi>;
