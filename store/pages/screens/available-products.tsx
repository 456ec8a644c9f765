import { PriceNote } from '#store/catalogue/screens/price-note.tsx'
import { ProductGrid } from '#store/catalogue/screens/product-grid.tsx'
import type { ProductWithOrderFigures } from '#store/catalogue/screens/with-order-figures.ts'
import { ButtonLink } from '#web/button.tsx'
import { EmptyState } from '#web/empty-state.tsx'

export function AvailableProducts({ products }: { products: ProductWithOrderFigures[] }) {
  return (
    <section aria-labelledby="tools-available" className="flex flex-col gap-6">
      <h2 id="tools-available" className="text-xl sm:text-2xl">
        Tools Available on Our Company Now
      </h2>
      {products.length > 0 ? (
        <>
          <PriceNote of="Prices" />
          <ProductGrid products={products} heading="h3" aboveFoldCount={0} />
        </>
      ) : (
        <EmptyState illustration="no-products" title="No product has been added yet" heading="h3">
          Come back soon: what is added is for sale at once.
        </EmptyState>
      )}
      <ButtonLink to="/allproducts" variant="quiet" className="self-center">
        All Tools Have on Stock
      </ButtonLink>
    </section>
  )
}
