import { useEffect, useId, useState } from 'react'
import {
  listRemovedProducts,
  maxRemovedProductsListed,
  type Product,
  type ProductDetails,
  type RemovedProduct,
  restoreProduct,
} from '#store/catalogue/contract.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { ApiError } from '#web/api-error.ts'
import { BreakableText } from '#web/breakable-text.tsx'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { DateTime } from '#web/date-time.tsx'
import { useSubmit } from '#web/use-submit.ts'

/** The removed products, loaded once: what the list above shows changes with every letter that is searched, and these do not. */
export function useRemovedProducts() {
  const [removed, setRemoved] = useState<RemovedProduct[]>([])
  const [failure, setFailure] = useState<ApiError>()
  useEffect(() => {
    callApi(listRemovedProducts, {}).then(
      // A product that was removed meanwhile stands first already.
      (loaded) => setRemoved((now) => [...now, ...loaded.filter(({ _id }) => !now.some((known) => known._id === _id))]),
      (error) => {
        if (!(error instanceof ApiError)) throw error
        setFailure(error)
      },
    )
  }, [])
  return {
    removed,
    failure,
    add: ({ _id, name, price, sku }: ProductDetails) =>
      setRemoved((now) => [{ _id, name, price, sku, removedAt: new Date().toISOString() }, ...now].slice(0, maxRemovedProductsListed)),
    drop: (id: string) => setRemoved((now) => now.filter(({ _id }) => _id !== id)),
  }
}

type RemovedProductsProps = {
  products: RemovedProduct[]
  /** why they could not be loaded */
  failure: ApiError | undefined
  onRestored: (product: Product) => void
}

/** The products that were removed, each with a button that brings it back. Restoring needs no confirmation. */
export function RemovedProducts({ products, failure, onRestored }: RemovedProductsProps) {
  const id = useId()
  const [asked, setAsked] = useState<string>()
  const { submit, busy, refusal } = useSubmit({
    send({ _id }: RemovedProduct) {
      setAsked(_id)
      return callApi(restoreProduct, { params: { id: _id } })
    },
    onDone: onRestored,
    toastDetail: ({ name }) => name,
  })
  if (products.length === 0 && !failure) return null

  return (
    <section aria-labelledby={id} className="flex max-w-read flex-col gap-3">
      <h2 id={id} className="text-xl">
        Removed products
      </h2>
      <p className="text-soft">
        Nobody can order them. Brought back, a product is for sale with the price, the minimum and the stock that it has.
        {products.length === maxRemovedProductsListed &&
          ` These are the ${maxRemovedProductsListed} that were removed last; an older one comes back by an import with its SKU.`}
      </p>
      {failure && <RefusalNotice refusal={failure} />}
      {refusal && <RefusalNotice refusal={refusal} />}
      {products.length > 0 && (
        <ul className="flex flex-col divide-y divide-line border-y border-line">
          {products.map((product) => (
            <li key={product._id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
              <span className="min-w-0 wrap-anywhere">
                {product.name}{' '}
                <span className="block text-sm text-soft">
                  <span className="figures">
                    <BreakableText>{product.sku}</BreakableText>
                  </span>
                  , removed <DateTime at={product.removedAt} />
                </span>
              </span>
              <Button
                dense
                variant="quiet"
                busy={busy && asked === product._id}
                busyLabel="Bringing back"
                aria-label={`Bring Back, ${product.name}`}
                onClick={() => submit(product)}
              >
                Bring Back
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
