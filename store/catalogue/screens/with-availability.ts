import { isInStock, type Product, type ProductDetails } from '#store/catalogue/contract.ts'

export type ProductWithAvailability = Product &
  Partial<Pick<ProductDetails, 'brand' | 'mpn' | 'category' | 'specs' | 'order_multiple' | 'price_breaks'>> & { inStock: boolean }
export type ProductDetailsWithAvailability = ProductDetails & { inStock: boolean }

/** Called in loaders. Calling `isInStock` in a component would send 26 kB of schemas to the browser for one comparison. */
export const withAvailability = <P extends Pick<Product, 'minimum_order_quantity' | 'available_quantity'>>(
  product: P,
): P & { inStock: boolean } => ({ ...product, inStock: isInStock(product) })
