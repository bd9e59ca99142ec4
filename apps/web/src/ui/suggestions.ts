// Suggestions below a text field, which disappear once a whole suggestion is typed: they would cover the next field.
import type { ComboboxItem, OptionsFilter } from '@mantine/core';
import { defaultOptionsFilter } from '@mantine/core';

export const filterSuggestions: OptionsFilter = (input) => {
  const typed = input.search.trim().toLowerCase();
  const all = input.options.flatMap((option) => ('group' in option ? option.items : [option]));
  const isWhole = ({ label }: ComboboxItem) => label.toLowerCase() === typed;
  return all.some(isWhole) ? [] : (defaultOptionsFilter as OptionsFilter)(input);
};
