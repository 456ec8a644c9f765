import { formatNumber } from '#shared/format-number.ts'
import { amountToCents } from '#shared/money.ts'
import type { DeliveryOffer } from '#store/catalogue/product-page-contract.ts'
import { costOf, type QuantityTerms } from '#store/catalogue/settle-quantity.ts'
import { GroupedDigits, MoneyAmount } from '#web/money.tsx'
import { StatusBadge } from '#web/status-badge.tsx'
import { TextLink } from '#web/text-link.tsx'
import { CopyableText } from './copyable-text.tsx'
import { OwnPrice } from './own-price.tsx'
import { PriceBreakTable } from './price-break-table.tsx'
import { PriceNote } from './price-note.tsx'
import { ProductThumbnail } from './product-image.tsx'
import type { ProductDetailsWithOrderFigures } from './with-order-figures.ts'

export type DisplayedProduct = Omit<ProductDetailsWithOrderFigures, 'specs'>

type ProductHeaderProps = {
  product: DisplayedProduct
  /** its terms for whoever looks at it */
  offered: QuantityTerms
  arrival: { pieces: number; day: string } | null
  loweredOn: string | null
  delivery: DeliveryOffer | null
  /** what its reviews say in figures; null: there are none */
  rating: string | null
}

/** What a buyer decides on: name, numbers, price, stock and delivery. */
export function ProductHeader({ product, offered, arrival, loweredOn, delivery, rating }: ProductHeaderProps) {
  return (
    <>
      <div className="flex items-start gap-4">
        <ProductThumbnail product={product} isAboveFold className="w-20 shrink-0 md:hidden print:hidden" />
        {/* some names are long retailer texts */}
        <h1 tabIndex={-1} className={`min-w-0 ${product.name.length > 60 ? 'text-lg sm:text-xl' : 'text-xl sm:text-2xl'}`}>
          {product.name}
        </h1>
      </div>
      {rating && (
        <TextLink to="#customer-reviews" prefetch="none" className="self-start text-sm tabular-nums print:hidden">
          {rating}
        </TextLink>
      )}
      <NumbersOfProduct product={product} />
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-3">
        <div className="flex flex-col gap-1">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="text-2xl font-semibold">
              <MoneyAmount amountCents={amountToCents(product.price)} /> <span className="text-base font-normal text-soft">each</span>
            </span>
            <StatusBadge kind={product.inStock ? 'good' : 'bad'}>{product.inStock ? 'In stock' : 'Out of stock'}</StatusBadge>
          </p>
          <PriceNote />
          <OwnPrice product={product} loweredOn={loweredOn} />
          <p>
            Available Quantity: <GroupedDigits number={product.available_quantity} />
          </p>
          <p>
            Minimum Order Quantity: <GroupedDigits number={product.minimum_order_quantity} />{' '}
            <span className="text-soft">
              = <MoneyAmount amountCents={costOf(offered, product.minimum_order_quantity)} />
            </span>
          </p>
          {product.order_multiple > 1 && (
            <p>
              Sold in packs of <GroupedDigits number={product.order_multiple} />
            </p>
          )}
          {arrival && (
            <p className="text-soft">
              <GroupedDigits number={arrival.pieces} /> more arrive on {arrival.day}
            </p>
          )}
          {delivery && <DeliveryLine offer={delivery} />}
        </div>
        <PriceBreakTable product={offered} />
      </div>
    </>
  )
}

/** Brand, part number and SKU, in one line where there is room. */
function NumbersOfProduct({ product }: { product: DisplayedProduct }) {
  return (
    <dl className="flex flex-wrap items-baseline gap-x-6 gap-y-0.5 text-sm [&>div]:flex [&>div]:items-baseline [&>div]:gap-2 [&_dt]:text-soft">
      {product.brand && (
        <div>
          <dt>Brand</dt>
          <dd>
            <TextLink to={`/allproducts?brand=${encodeURIComponent(product.brand)}`}>{product.brand}</TextLink>
          </dd>
        </div>
      )}
      {product.mpn && (
        <div>
          <dt>Part number</dt>
          <dd>
            <CopyableText label="part number" text={product.mpn} />
          </dd>
        </div>
      )}
      <div>
        <dt>SKU</dt>
        <dd>
          <CopyableText label="SKU" text={product.sku} />
        </dd>
      </div>
    </dl>
  )
}

/** What delivery costs at least and how long it takes, before anybody has said where to. */
function DeliveryLine({ offer: { cheapest, quickest } }: { offer: DeliveryOffer }) {
  return (
    <p>
      Delivery{' '}
      {cheapest.priceCents === 0 ? (
        'free'
      ) : (
        <>
          from <MoneyAmount amountCents={cheapest.priceCents} />
        </>
      )}{' '}
      in {workingDays(cheapest)}
      {quickest && (
        <span className="text-soft">
          , in {workingDays(quickest)} from <MoneyAmount amountCents={quickest.priceCents} />
        </span>
      )}
    </p>
  )
}

function workingDays({ daysFrom, daysTo }: DeliveryOffer['cheapest']): string {
  const days = daysFrom === daysTo ? formatNumber(daysTo) : `${formatNumber(daysFrom)} to ${formatNumber(daysTo)}`
  return `${days} working ${daysTo === 1 ? 'day' : 'days'}`
}

/** On paper alone: the way back to the page, and of which day its price is. */
export function PrintedAddress({ sku, print: { qrCode, day } }: { sku: string; print: { qrCode: string; day: string } }) {
  return (
    <div className="hidden items-center gap-4 text-sm print:flex">
      <img src={qrCode} alt={`QR code of the page of ${sku}`} className="size-24 [image-rendering:pixelated]" />
      <p>
        <b>Nucleus of PC</b>
        <br />
        Price and stock of {day}.
        <br />
        The code leads to the page of this product.
      </p>
    </div>
  )
}
