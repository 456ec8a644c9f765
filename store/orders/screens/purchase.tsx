export default function Screen() { return <h1>orders/screens/purchase</h1> }
