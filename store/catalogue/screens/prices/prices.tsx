import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { listAllBuyerPrices, listCustomerGroups, listDiscountCodes, listPricingChanges } from '#store/catalogue/pricing/contract.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { DateTime } from '#web/date-time.tsx'
import { Page } from '#web/page.tsx'
import { useSubmit } from '#web/use-submit.ts'
import type { Route } from './+types/prices'
import { BuyerPricesSection } from './buyer-prices-section.tsx'
import { CodesSection } from './codes-section.tsx'
import { GroupsSection } from './groups-section.tsx'

export const meta: Route.MetaFunction = () => [{ title: 'Prices | Nucleus of PC' }]

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { searchParams } = new URL(request.url)
  const [q, beginning] = ['q', 'code'].map((name) => searchParams.get(name)?.trim().slice(0, 100) ?? '')
  const [groups, prices, codes, changes] = await Promise.all([
    callApi(listCustomerGroups, {}),
    callApi(listAllBuyerPrices, { querystring: { q } }),
    callApi(listDiscountCodes, { querystring: { q: beginning } }),
    callApi(listPricingChanges, { querystring: {} }),
  ])
  return { q: q ?? '', beginning: beginning ?? '', groups, prices, codes, changes, loadedAt: Date.now() }
}

export default function Prices({ loaderData: { q, beginning, groups, prices, codes, changes, loadedAt } }: Route.ComponentProps) {
  const { revalidate } = useRevalidator()
  return (
    <Page title="Prices" lead="Who pays less than the list price, and why." wide>
      <div className="flex flex-col gap-12">
        <GroupsSection groups={groups} onChanged={revalidate} />
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
