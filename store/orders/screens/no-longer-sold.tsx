import type { Order } from '#store/orders/contract.ts'
import { ButtonLink } from '#web/button.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Trail } from '#web/trail.tsx'

/** Nobody orders it again, but somebody who did wants one like it. */
export function NoLongerSold({ order: { productName } }: { order: Order }) {
  return (
    <Page title={productName} trail={<Trail steps={[{ words: 'All tools', to: '/allproducts' }]} />}>
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
