// A C++17 consumer of the ABI: the header compiles there too, and its functions have C linkage.
#include "riftshark.h"

#include <cstring>
#include <type_traits>

static_assert(std::is_standard_layout<riftshark_result>::value && std::is_trivial<riftshark_result>::value,
              "results are plain data");

// How many fields of the table have a name, a title and a description.
extern "C" std::size_t consumer_cpp_described()
{
    std::size_t described = 0;
    riftshark_field field;
    for (std::size_t i = 0; riftshark_field_at(i, &field) == RIFTSHARK_OK; i++)
        described += std::strlen(field.name) > 0 && std::strlen(field.title) > 0 && std::strlen(field.blurb) > 0;
    return described;
}
