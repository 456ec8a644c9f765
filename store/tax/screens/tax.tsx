import type { ReactNode } from 'react'
import { useOutletContext, useRevalidator } from 'react-router'
import { showTax } from '#store/tax/contract.ts'
import { callApi } from '#web/call-api.ts'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { TextLink } from '#web/text-link.tsx'
import type { Route } from './+types/tax'
import { RateSetsSection } from './rate-sets-section.tsx'
import { RatesSection } from './rates-section.tsx'
import { TaxSettingsSection } from './tax-settings-section.tsx'

export const meta: Route.MetaFunction = () => [{ title: 'Tax | Nucleus of PC' }]

export const clientLoader = () => callApi(showTax, {})

export default function Tax({ loaderData: { settings, rates, sets } }: Route.ComponentProps) {
  const { revalidate } = useRevalidator()
  const costPreview = useOutletContext<ReactNode>()
  return (
    <Page title="Tax" lead="Where the shop is, and what is taxed at which rate." wide>
      <div className="flex flex-col gap-12">
        {(settings.country === null || rates.length === 0) && (
          <Notice kind="info" title="Nothing is taxed">
            {settings.country === null
              ? 'Say where the shop is and set a rate. Until then no order has tax, and nothing is said of it.'
              : 'Set a rate. Until then no order has tax, and nothing is said of it.'}
          </Notice>
        )}
        <TaxSettingsSection settings={settings} onChanged={revalidate} />
        <RatesSection rates={rates} onChanged={revalidate} />
        <RateSetsSection sets={sets} onChanged={revalidate} />
        {costPreview}
        <p className="text-soft">
          Who has changed what stands at the end of <TextLink to="/dashboard/prices">Prices</TextLink>.
        </p>
      </div>
    </Page>
  )
}
