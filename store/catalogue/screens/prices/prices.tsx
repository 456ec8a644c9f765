import { useRevalidator } from 'react-router'
import { listBuyerPrices, listCustomerGroups, listDiscountCodes, listPricingChanges } from '#store/catalogue/pricing/contract.ts'
import { callApi } from '#web/call-api.ts'
import { DateTime } from '#web/date-time.tsx'
import { Page } from '#web/page.tsx'
import type { Route } from './+types/prices'
import { BuyerPricesSection } from './buyer-prices-section.tsx'
import { CodesSection } from './codes-section.tsx'
import { GroupsSection } from './groups-section.tsx'

export const meta: Route.MetaFunction = () => [{ title: 'Prices | Nucleus of PC' }]

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const q = new URL(request.url).searchParams.get('q')?.trim().slice(0, 100) ?? ''
  const [groups, found, codes, changes] = await Promise.all([
    callApi(listCustomerGroups, {}),
    callApi(listBuyerPrices, { querystring: { q } }),
    callApi(listDiscountCodes, {}),
    callApi(listPricingChanges, {}),
  ])
  return { q, groups, found, codes, changes, loadedAt: Date.now() }
}

export default function Prices({ loaderData: { q, groups, found, codes, changes, loadedAt } }: Route.ComponentProps) {
  const { revalidate } = useRevalidator()
  return (
    <Page title="Prices" lead="Who pays less than the list price, and why." wide>
      <div className="flex flex-col gap-12">
        <GroupsSection groups={groups} onChanged={revalidate} />
        <BuyerPricesSection found={found} q={q} groups={groups} onChanged={revalidate} />
        <CodesSection codes={codes} loadedAt={loadedAt} onChanged={revalidate} />
        {changes.length > 0 && <Changes changes={changes} />}
      </div>
    </Page>
  )
}

function Changes({ changes }: { changes: Route.ComponentProps['loaderData']['changes'] }) {
  return (
    <section aria-labelledby="changes" className="flex max-w-read flex-col gap-3">
      <h2 id="changes" className="text-xl">
        Who has changed what
      </h2>
      <details>
        <summary className="min-h-6 cursor-pointer">
          {changes.length === 1 ? 'The last change' : `The last ${changes.length} changes`}
        </summary>
        <ul className="mt-2 flex flex-col divide-y divide-line border-y border-line">
          {changes.map(({ _id, what, at, by }) => (
            <li key={_id} className="py-2 wrap-anywhere">
              {what}
              <span className="block text-sm text-soft">
                {by}, <DateTime at={at} />
              </span>
            </li>
          ))}
        </ul>
      </details>
    </section>
  )
}
