import { countryCodes } from '#shared/countries.ts'
import { TextLink } from '#web/text-link.tsx'

/** Below a choice of countries, for a buyer who does not find their own; nothing where the shop delivers everywhere. */
export const DeliveredCountries = ({ count }: { count: number }) =>
  count < countryCodes.length && (
    <p className="text-sm text-soft">
      We deliver to these countries. Elsewhere: <TextLink to="/help#contact">ask us</TextLink>
    </p>
  )
