// Webhooks: receivers of the events of the feed, or of audit records.
import { permits } from '@muster/contract';
import { z } from 'zod';
import type { Caller } from '../auth/index.ts';
import type { Actor } from '../platform/index.ts';
import type { WebhookManager, WebhookService } from '../webhooks/index.ts';
import { WebhookInputs } from '../webhooks/index.ts';
import { decodeCursor, encodeCursor, toPageMeta } from './pagination.ts';
import { asActor, NoInput, permittedProcedure, router, urgentProcedure } from './trpc.ts';

/** Of the last delivery of a page. */
const Position = z.int().min(1);

export const createWebhooksRouter = (webhooks: WebhookService) => {
  const manage = permittedProcedure('webhook:manage');
  return router({
    list: manage.input(NoInput).query(webhooks.list),
    get: manage.input(WebhookInputs.webhook).query(({ input }) => webhooks.get(input)),
    create: manage.input(WebhookInputs.create).mutation(asManager(webhooks.create)),
    update: manage.input(WebhookInputs.update).mutation(asManager(webhooks.update)),
    rotateSecret: manage.input(WebhookInputs.rotateSecret).mutation(asActor(webhooks.rotateSecret)),
    enable: manage.input(WebhookInputs.webhook).mutation(asActor(webhooks.enable)),
    disable: urgentProcedure('webhook:manage')
      .input(WebhookInputs.webhook)
      .mutation(asActor(webhooks.disable)),
    delete: manage.input(WebhookInputs.webhook).mutation(asActor(webhooks.delete)),
    test: manage.input(WebhookInputs.webhook).mutation(asActor(webhooks.test)),
    listDeliveries: manage.input(WebhookInputs.listDeliveries).query(async ({ input }) => {
      const before = decodeCursor(input.cursor, Position);
      const page = await webhooks.listDeliveries(input, before === null ? null : BigInt(before));
      const cursor = page.next === undefined ? undefined : encodeCursor(Number(page.next));
      return { deliveries: page.deliveries, page_meta: toPageMeta(input.page_size, cursor) };
    }),
    resend: manage.input(WebhookInputs.resend).mutation(asActor(webhooks.resend)),
    resume: manage.input(WebhookInputs.resume).mutation(asActor(webhooks.resume)),
  });
};

type ResolverOptions<Input> = { ctx: { actor: Actor; caller: Caller }; input: Input };

/** `webhook:manage` is never narrowed to sandboxes, so a manager who has `audit:view` may read the whole audit trail. */
const asManager =
  <Input, Result>(work: (manager: WebhookManager, input: Input) => Result) =>
  ({ ctx: { actor, caller }, input }: ResolverOptions<Input>): Result =>
    work({ actor, readsAudit: permits(caller.permissions, ['audit:view']) }, input);
