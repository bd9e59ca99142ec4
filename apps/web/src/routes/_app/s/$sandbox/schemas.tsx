// The schemas of item types: which keys the custom data of an Item has, and which values fit.

import { NativeSelect, Stack } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { z } from 'zod';
import { ITEM_TYPES } from '../../../../features/records/record-kind.ts';
import { PromoteSchema } from '../../../../features/schemas/promote-schema.tsx';
import { SchemaEditor } from '../../../../features/schemas/schema-editor.tsx';
import { SchemaProblems, SchemaVersions } from '../../../../features/schemas/schema-lists.tsx';
import { useItemSchemas } from '../../../../features/schemas/schema-queries.ts';
import { Page, SettingsSection } from '../../../../ui/page.tsx';
import { QueryState } from '../../../../ui/states.tsx';
import { textParam, useUrlChange } from '../../../../ui/url-state.tsx';

export const Route = createFileRoute('/_app/s/$sandbox/schemas')({
  /** The item type; absent: the first one. */
  validateSearch: z.object({ type: textParam }),
  component: SchemasPage,
});

function SchemasPage() {
  const { sandbox } = Route.useParams();
  const { type } = Route.useSearch();
  const change = useUrlChange();
  const query = useItemSchemas();
  const chosen = ITEM_TYPES.find(({ value }) => value === type) ?? ITEM_TYPES[0];
  if (!chosen) return null;
  const { value: itemType, label } = chosen;
  return (
    <Page title="Item schemas">
      <Stack gap="lg" maw={1100}>
        <NativeSelect
          label="Item type"
          maw={280}
          data={ITEM_TYPES}
          value={itemType}
          onChange={(event) => change({ type: event.currentTarget.value })}
        />
        <QueryState query={query}>
          {({ schemas }) => {
            const schema = schemas.find(({ item_type }) => item_type === itemType);
            return (
              <>
                <SettingsSection
                  title="Fields"
                  description="Keys of custom data, in the order of the form. Other keys can have any value."
                >
                  <SchemaEditor
                    key={`${sandbox} ${itemType}`}
                    schema={schema ?? { item_type: itemType, version: 0, fields: [] }}
                    typeName={label}
                  />
                </SettingsSection>
                {schema && (
                  <>
                    <SettingsSection
                      title="Values that do not fit"
                      description="They are kept until they are changed."
                    >
                      <SchemaProblems itemType={itemType} />
                    </SettingsSection>
                    <SettingsSection title="Versions" description="The newest first.">
                      <Stack gap="sm" align="flex-start">
                        <PromoteSchema schema={schema} typeName={label} />
                        <SchemaVersions itemType={itemType} />
                      </Stack>
                    </SettingsSection>
                  </>
                )}
              </>
            );
          }}
        </QueryState>
      </Stack>
    </Page>
  );
}
