import type { ReactNode } from 'react'
import { useOutletContext, useRevalidator } from 'react-router'
import { showDelivery } from '#store/delivery/contract.ts'
import { callApi } from '#web/call-api.ts'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { TextLink } from '#web/text-link.tsx'
import type { Route } from './+types/delivery'
import { DeliverySettingsSection } from './delivery-settings-section.tsx'
import { HolidaysSection } from './holidays-section.tsx'
import { ZonesSection } from './zones-section.tsx'

export const meta: Route.MetaFunction = () => [{ title: 'Delivery | Nucleus of PC' }]

export const clientLoader = () => callApi(showDelivery, {})

export default function Delivery({ loaderData: { settings, zones, holidays, categories } }: Route.ComponentProps) {
  const { revalidate } = useRevalidator()
  const costPreview = useOutletContext<ReactNode>()
  return (
    <Page title="Delivery" lead="Where the shop delivers to, how, at which price and how soon." wide>
      <div className="flex flex-col gap-12">
        {zones.every(({ methods }) => methods.length === 0) && (
          <Notice kind="info" title="Delivery costs nothing">
            {zones.length === 0 ? 'Add a zone and a method.' : 'No zone has a method: add one.'} Until then delivery costs nothing, wherever
            an order goes, and nothing is said of it.
          </Notice>
        )}
        <ZonesSection zones={zones} categories={categories} onChanged={revalidate} />
        <DeliverySettingsSection settings={settings} onChanged={revalidate} />
        <HolidaysSection holidays={holidays} onChanged={revalidate} />
        {costPreview}
        <p className="text-soft">
          Who has changed what stands at the end of <TextLink to="/dashboard/prices">Prices</TextLink>.
        </p>
      </div>
    </Page>
  )
}
