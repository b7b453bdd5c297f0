// The manifest beside this file tells the App Store why Quire calls `stat`, `fstat` and `lstat`: to check the owner of its
// cache, in the app's container (C617.1), and the size of a file that the user chose to send (3B52.1). A target with a
// resource links Foundation, so only Apple's systems depend on this one.
