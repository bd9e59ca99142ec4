import { Kbd, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { nameKeysForPeople } from '../commands/key-names.ts';
import classes from './search-button.module.css';

export const SearchButton = ({ onOpen }: { onOpen: () => void }) => (
  <UnstyledButton className={classes.button} onClick={onOpen}>
    <IconSearch size={15} stroke={1.7} aria-hidden />
    <span className={classes.text}>Search</span>
    <Kbd size="xs" className={classes.keys}>
      {nameKeysForPeople('mod+k').join(' ')}
    </Kbd>
  </UnstyledButton>
);
