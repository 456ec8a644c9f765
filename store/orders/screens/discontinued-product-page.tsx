import type { Purchase } from '#store/orders/contract.ts'
import { Breadcrumbs } from '#web/breadcrumbs.tsx'
import { ButtonLink } from '#web/button.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'

/** Shown for "Order again" when the product is no longer sold, with a search for similar ones. */
export function DiscontinuedProductPage({ order: { productName } }: { order: Purchase }) {
  return (
    <Page title={productName} breadcrumbs={<Breadcrumbs steps={[{ label: 'All tools', to: '/allproducts' }]} />}>
      <Notice
        kind="warning"
        title="No longer sold"
        action={<ButtonLink to={`/allproducts?${new URLSearchParams({ q: productName })}`}>Look for one like it</ButtonLink>}
      >
        It has left the catalogue since you ordered it. Your order stays as it is.
      </Notice>
    </Page>
  )
}
