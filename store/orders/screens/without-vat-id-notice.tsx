import { formatNumber } from '#shared/format-number.ts'
import type { showSeller } from '#store/orders/documents/contract.ts'
import type { EndpointOutput } from '#web/api-caller.ts'
import { Notice } from '#web/notice.tsx'
import { TextLink } from '#web/text-link.tsx'

type Shown = Pick<EndpointOutput<typeof showSeller>, 'seller' | 'withoutVatId' | 'ordersWithoutVatId'>

/** Invoices with reverse charge from before the seller had a VAT id: what they lack, and what to do. */
export function WithoutVatIdNotice({ seller, withoutVatId, ordersWithoutVatId }: Shown) {
  if (withoutVatId === 0) return null
  const left = withoutVatId - ordersWithoutVatId.length
  return (
    <Notice
      kind="warning"
      title={withoutVatId === 1 ? '1 invoice lacks your VAT id' : `${formatNumber(withoutVatId)} invoices lack your VAT id`}
    >
      They are of businesses in other countries of the EU, who account for the VAT themselves (reverse charge): such an invoice has to name
      your VAT id, and without it there are no data by EN 16931. {seller?.vatId ? '' : 'Enter the VAT id below. Then '}
      {seller?.vatId ? 'Correct' : 'correct'} the invoices on the pages of their orders:{' '}
      {ordersWithoutVatId.map(({ _id, number }, nth) => (
        <span key={_id}>
          {nth > 0 && ', '}
          <TextLink to={`/dashboard/order/${_id}`}>{`order ${number}`}</TextLink>
        </span>
      ))}
      {left > 0 && ` and ${formatNumber(left)} more`}.
    </Notice>
  )
}
