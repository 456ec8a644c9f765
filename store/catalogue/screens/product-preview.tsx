import { formatNumber } from '#shared/format-number.ts'
import { amountToCents, centsToAmount, lineTotal } from '#shared/money.ts'
import { parseWholeNumber } from '#shared/parse-whole-number.ts'
import { parseAmountToCents } from '#shared/typed-amount.ts'
import { isInStock, NewProduct, type Product } from '#store/catalogue/contract.ts'
import { GroupedDigits, MoneyAmount } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { useDebouncedText } from '#web/use-debounced-text.ts'
import { ProductCard } from './product-card.tsx'
import type { NewProductFormInput } from './product-form.ts'

type ProductPreviewProps = {
  /** current form input */
  formInput: NewProductFormInput
  /** stored values, shown in place of empty or invalid numbers */
  stored?: Pick<Product, 'price' | 'minimum_order_quantity' | 'available_quantity'>
}

/** Live preview of the product card while the form is edited. */
export function ProductPreview({ formInput, stored }: ProductPreviewProps) {
  const numberOrStored = (name: 'minimum_order_quantity' | 'available_quantity') => {
    const number = parseWholeNumber(formInput[name])
    return Number.isNaN(number) ? (stored?.[name] ?? number) : number
  }
  const typedCents = parseAmountToCents(formInput.price)
  const priceCents = Number.isNaN(typedCents) && stored ? amountToCents(stored.price) : typedCents
  const minimum = numberOrStored('minimum_order_quantity')
  const available = numberOrStored('available_quantity')
  const outOfStock = minimum > 0 && available >= 0 && !isInStock({ minimum_order_quantity: minimum, available_quantity: available })
  const img = useDebouncedImageUrl(formInput.img)
  const { order_multiple: _, ...typedByHand } = formInput // it begins with 1
  const hasInput = stored !== undefined || Object.values(typedByHand).some((text) => text.trim() !== '')

  return (
    <aside aria-labelledby="preview" className="flex flex-col gap-4 lg:sticky lg:top-6 lg:self-start">
      <h2 id="preview" className="text-xl">
        What buyers see
      </h2>
      {hasInput ? (
        // inert: the form fields contain the same information, and the button has no target yet
        <div inert className="max-w-96 overflow-hidden">
          <ProductCard
            key={img}
            heading="h3"
            product={{
              _id: '',
              name: formInput.name.trim() || 'Your product',
              img,
              description: formInput.description.trim() || 'What it is, in a few lines.',
              price: centsToAmount(priceCents || 0),
              minimum_order_quantity: minimum || 0,
              available_quantity: available || 0,
              inStock: !outOfStock,
              smallestOrderCents: lineTotal(priceCents || 0, minimum || 0),
              lowestPrice: undefined,
            }}
          />
        </div>
      ) : (
        <p className="text-soft">Its card in the list, as soon as you begin to type.</p>
      )}
      {priceCents > 0 && minimum > 0 && (
        <p className="overflow-hidden">
          <MoneyAmount amountCents={priceCents} /> each, minimum <GroupedDigits number={minimum} /> ={' '}
          <MoneyAmount amountCents={lineTotal(priceCents, minimum)} />
        </p>
      )}
      {outOfStock && (
        <Notice kind="warning" title="Will show as out of stock">
          The smallest order is {formatNumber(minimum)} pieces, and {formatNumber(available)} are available. You can save it all the same.
        </Notice>
      )}
    </aside>
  )
}

/** The image URL once it is valid and typing has paused, so that not every keystroke sends a request. */
function useDebouncedImageUrl(address: string): string {
  const [settled] = useDebouncedText(address)
  const { data } = NewProduct.shape.img.safeParse(address)
  return settled === address && data ? data : '/drawings/part.svg'
}
