import { useState } from 'react'
import { useRevalidator } from 'react-router'
import * as z from 'zod'
import { listAllBuyerPrices, listDiscountCodes, listPricingChanges } from '#store/catalogue/pricing/contract.ts'
import { listCustomerGroups, listGroupMembers } from '#store/catalogue/pricing/customer-group-contract.ts'
import { SignedOutElsewhereNotice } from '#store/identity/screens/session-ended-notice.tsx'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { DateTime } from '#web/date-time.tsx'
import { Page } from '#web/page.tsx'
import { useSubmit } from '#web/use-submit.ts'
import type { Route } from './+types/prices'
import { BuyerPricesSection } from './buyer-prices-section.tsx'
import { CodesSection } from './codes-section.tsx'
import { GroupsSection, type MemberPage } from './groups-section.tsx'

export const meta: Route.MetaFunction = () => [{ title: 'Prices | Nucleus of PC' }]

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { searchParams } = new URL(request.url)
  const [q, beginning] = ['q', 'code'].map((name) => searchParams.get(name)?.trim().slice(0, 100) ?? '')
  const pricesCursor = parseCursor(listAllBuyerPrices, searchParams.get('prices'))
  const codesCursor = parseCursor(listDiscountCodes, searchParams.get('codes'))
  const [groups, prices, codes, changes, memberPage] = await Promise.all([
    callApi(listCustomerGroups, {}),
    callApi(listAllBuyerPrices, { querystring: { q, cursor: pricesCursor } }),
    callApi(listDiscountCodes, { querystring: { q: beginning, cursor: codesCursor } }),
    callApi(listPricingChanges, { querystring: {} }),
    loadMemberPage(searchParams),
  ])
  return {
    ...{ q: q ?? '', beginning: beginning ?? '', groups, memberPage, changes, loadedAt: Date.now() },
    prices: { ...prices, isFirstPage: pricesCursor === undefined },
    codes: { ...codes, isFirstPage: codesCursor === undefined },
  }
}

/** The key of a page in the address; undefined for another text, which leads to the first page. */
const parseCursor = ({ schema }: typeof listAllBuyerPrices | typeof listDiscountCodes, text: string | null): string | undefined =>
  schema.querystring.shape.cursor.safeParse(text ?? undefined).data

/** A page of the members of one group, after the first. */
async function loadMemberPage(search: URLSearchParams): Promise<MemberPage | undefined> {
  const { data: groupId } = z.uuid().safeParse(search.get('members'))
  const { data: after } = listGroupMembers.schema.querystring.shape.after.safeParse(search.get('after') ?? undefined)
  if (!groupId || !after) return
  return { groupId, after, ...(await callApi(listGroupMembers, { params: { id: groupId }, querystring: { after } })) }
}

export default function Prices({ loaderData }: Route.ComponentProps) {
  const { q, beginning, groups, memberPage, prices, codes, changes, loadedAt } = loaderData
  const { revalidate } = useRevalidator()
  return (
    <Page title="Prices" lead="Who pays less than the list price, and why." wide>
      <SignedOutElsewhereNotice />
      <div className="flex flex-col gap-12">
        <GroupsSection groups={groups} memberPage={memberPage} onChanged={revalidate} />
        <BuyerPricesSection found={prices} q={q} groups={groups} onChanged={revalidate} />
        <CodesSection found={codes} beginning={beginning} loadedAt={loadedAt} onChanged={revalidate} />
        {changes.length > 0 && <Changes key={changes[0]?._id} changes={changes} />}
      </div>
    </Page>
  )
}

function Changes({ changes }: { changes: Route.ComponentProps['loaderData']['changes'] }) {
  const [older, setOlder] = useState<typeof changes>([])
  const shown = [...changes, ...older]
  const { submit, busy } = useSubmit({
    send: () => callApi(listPricingChanges, { querystring: { before: shown.at(-1)?._id } }),
    onDone: (loaded) => setOlder([...older, ...loaded]),
    toastDetail: () => 'The older changes were not loaded',
  })
  const first = shown.at(-1)?._id
  return (
    <section aria-labelledby="changes" className="flex max-w-read flex-col gap-3">
      <h2 id="changes" className="text-xl">
        Who has changed what
      </h2>
      <details>
        <summary className="min-h-6 cursor-pointer">{shown.length === 1 ? 'The last change' : `The last ${shown.length} changes`}</summary>
        <ul className="mt-2 flex flex-col divide-y divide-line border-y border-line">
          {shown.map(({ _id, what, at, by }) => (
            <li key={_id} className="py-2 wrap-anywhere">
              {what}
              <span className="block text-sm text-soft">
                {by}, <DateTime at={at} />
              </span>
            </li>
          ))}
        </ul>
        {first !== undefined && first > 1 && (
          <Button dense variant="quiet" busy={busy} busyLabel="Loading" onClick={() => submit()} className="mt-3">
            Show older changes
          </Button>
        )}
      </details>
    </section>
  )
}
