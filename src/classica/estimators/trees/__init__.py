"""Decision trees and rules: ID3, C4.5, CART, regression trees and rule sets."""
